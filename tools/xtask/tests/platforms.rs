//! Code for one operating system is in the modules `sys`, and a test that does not run on Windows says why.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Words in conditions on the operating system.
const SYSTEMS: [&str; 4] = ["unix", "windows", "target_os", "target_env"];

struct Source {
    /// The path in this repository, with `/`.
    path: String,
    /// The lines without the spaces around them.
    lines: Vec<String>,
    /// The number of spaces before each line.
    indents: Vec<usize>,
}

/// Returns the Rust files of all published crates, of the root package and of the examples.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut files = Vec::new();
    for folder in ["mcp-core", "mcp-macros", "mcp-stdio", "crates", "tests", "examples"] {
        add_files(&root.join(folder), &mut files);
    }
    let source = |file: &PathBuf| {
        let path = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        Source::new(path, &fs::read_to_string(file).unwrap())
    };
    let sources: Vec<Source> = files.iter().map(source).collect();
    assert!(sources.len() > 500, "only {} files were found", sources.len());
    sources
}

impl Source {
    fn new(path: String, text: &str) -> Source {
        let lines = text.lines().map(|line| line.trim().to_owned()).collect();
        let indents = text.lines().map(|line| line.len() - line.trim_start().len()).collect();
        Source { path, lines, indents }
    }

    /// Returns the lines without those of items for unit tests.
    fn without_unit_tests(&self) -> Vec<&str> {
        let (mut kept, mut number) = (Vec::new(), 0);
        while number < self.lines.len() {
            let line = &self.lines[number];
            if line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test") {
                number = self.end_of_item(number);
            } else {
                kept.push(line.as_str());
            }
            number += 1;
        }
        kept
    }

    /// Returns the last line of the item that begins with an attribute in a line: one that ends with `;`, or the `}` below it.
    fn end_of_item(&self, start: usize) -> usize {
        let indent = self.indents[start];
        let is_end = |number: &usize| {
            let line = &self.lines[*number];
            self.indents[*number] == indent && !line.starts_with("#[") && (line.ends_with(';') || line.ends_with('}'))
        };
        (start + 1..self.lines.len()).find(is_end).unwrap_or(self.lines.len() - 1)
    }

    /// Returns the names of the tests in this file.
    fn tests(&self) -> BTreeSet<&str> {
        let is_test = |line: &&String| line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let starts = self.lines.iter().enumerate().filter(|(_, line)| is_test(line)).map(|(number, _)| number);
        starts.filter_map(|start| self.lines[start..].iter().find_map(|line| declared(line))).collect()
    }

    /// Returns the entries `// - TEST -> TWIN` and `// - TEST: REASON` of the comment at the beginning: the test, and the rest.
    fn listed(&self) -> Vec<(&str, &str)> {
        let comment = self.lines.iter().take_while(|line| line.starts_with("//"));
        comment.filter_map(|line| line.strip_prefix("// - ")?.split_once([' ', ':'])).collect()
    }
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn is_condition(line: &str) -> bool {
    let is_code = !line.starts_with("//");
    is_code
        && ["cfg(", "cfg!(", "cfg_attr("].iter().any(|start| line.contains(start))
        && SYSTEMS.iter().any(|word| line.contains(word))
}

/// Returns the name of the function or module that is declared in a line.
fn declared(line: &str) -> Option<&str> {
    let rest = ["fn ", "mod "].iter().find_map(|word| Some(line.split_once(word)?.1))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn only_the_sys_modules_depend_on_the_operating_system() {
    let mut found = Vec::new();
    for source in sources() {
        let path = &source.path;
        let is_allowed = path.contains("/sys/") || path.ends_with("/sys.rs") || path.starts_with("crates/mcp-os-windows/");
        let is_code = path.contains("/src/") || (path.starts_with("examples/") && !path.contains("/tests/"));
        if is_allowed || !is_code || path.ends_with("tests.rs") {
            continue;
        }
        let code = source.without_unit_tests().into_iter();
        found.extend(
            code.filter(|line| is_condition(line) || line.contains("std::os::")).map(|line| format!("{path}: {line}")),
        );
    }
    assert!(found.is_empty(), "move to the module `sys` of the crate:\n{}", found.join("\n"));
}

#[test]
fn tests_that_do_not_run_on_windows_name_their_twin_or_the_reason() {
    let sources = sources();
    let exists = |twin: &str| {
        sources.iter().any(|source| {
            source.path.ends_with(&format!("/{twin}"))
                || source.lines.iter().any(|line| line.contains(&format!("fn {twin}(")))
        })
    };
    let mut found = Vec::new();
    for Source { path, lines, .. } in sources.iter().filter(|source| !source.path.contains("/sys")) {
        for (number, line) in lines.iter().enumerate() {
            let is_hidden = line.starts_with("#[cfg(") || line.starts_with("#![cfg(");
            if !is_hidden || !is_condition(line) || line.contains("windows") || line.contains("not(") {
                continue;
            }
            // A helper function can have a variant for Windows in the same file.
            let name = lines[number..].iter().find_map(|line| declared(line));
            let has_variant = name.is_some_and(|name| {
                lines.windows(2).any(|pair| pair[0] == "#[cfg(windows)]" && declared(&pair[1]) == Some(name))
            });
            let comment = number.checked_sub(1).map_or("", |before| lines[before].as_str());
            let is_explained =
                comment.starts_with("// Not on Windows: ") || comment.strip_prefix("// Windows: ").is_some_and(exists);
            if !has_variant && !is_explained {
                found.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    let fix = "write `// Windows: TEST OR FILE` or `// Not on Windows: REASON` in the line before";
    assert!(found.is_empty(), "{fix}:\n{}", found.join("\n"));
}

/// Returns the file with the tests that a line `// Windows: FILE` is about: that of the module in the next lines, or this file.
fn hidden_file<'a>(sources: &'a [Source], source: &'a Source, number: usize) -> &'a Source {
    let Some(name) = source.lines[number + 2].strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) else {
        return source;
    };
    let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = format!("{folder}/{name}.rs");
    sources.iter().find(|source| source.path == path).unwrap_or_else(|| panic!("there is no {path}"))
}

#[test]
fn a_file_of_tests_that_do_not_run_on_windows_lists_the_twin_of_each_test_or_the_reason() {
    let sources = sources();
    let tests: BTreeSet<&str> = sources.iter().flat_map(Source::tests).collect();
    let (mut found, mut files) = (Vec::new(), 0);
    for source in &sources {
        let starts =
            source.lines.iter().enumerate().filter(|(_, line)| line.starts_with("// Windows: ") && line.ends_with(".rs"));
        for hidden in starts.map(|(number, _)| hidden_file(&sources, source, number)) {
            files += 1;
            let listed = hidden.listed();
            let names: BTreeSet<&str> = listed.iter().map(|(name, _)| *name).collect();
            let tests_of_file = hidden.tests();
            found.extend(names.symmetric_difference(&tests_of_file).map(|name| format!("{}: {name}", hidden.path)));
            for (name, rest) in listed {
                let is_twin = rest.strip_prefix("-> ").is_some_and(|twin| tests.contains(twin));
                let is_reason = !rest.contains("->") && rest.len() > 10;
                if !is_twin && !is_reason {
                    found.push(format!("{}: {name}: {rest}", hidden.path));
                }
            }
        }
    }
    let fix = "write `// - TEST -> TWIN` or `// - TEST: REASON` at the beginning of the file";
    assert!(found.is_empty() && files >= 4, "{files} files; {fix}:\n{}", found.join("\n"));
}

#[test]
fn code_below_unit_tests_is_checked_too() {
    let text =
        "mod a;\n#[cfg(test)]\nmod tests;\nfn b() {\n    x();\n}\n#[cfg(test)]\nmod c {\n    fn d() {}\n}\nfn e() {}\n";
    let source = Source::new(String::new(), text);
    assert_eq!(source.without_unit_tests(), ["mod a;", "fn b() {", "x();", "}", "fn e() {}"]);
}
