//! Code for one operating system is in the modules `sys`, and a test that does not run on Windows says why.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Words in conditions on the operating system.
const SYSTEMS: [&str; 4] = ["unix", "windows", "target_os", "target_env"];

struct Source {
    /// The path in this repository, with `/`.
    path: String,
    lines: Vec<String>,
}

/// Returns the Rust files of all published crates and of the root package.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut files = Vec::new();
    for folder in ["mcp-core", "mcp-macros", "mcp-stdio", "crates", "tests"] {
        add_files(&root.join(folder), &mut files);
    }
    let source = |file: &PathBuf| Source {
        path: file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"),
        lines: fs::read_to_string(file).unwrap().lines().map(|line| line.trim().to_owned()).collect(),
    };
    let sources: Vec<Source> = files.iter().map(source).collect();
    assert!(sources.len() > 500, "only {} files were found", sources.len());
    sources
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
    for Source { path, lines } in sources() {
        let is_allowed = path.contains("/sys/") || path.ends_with("/sys.rs") || path.starts_with("crates/mcp-os-windows/");
        if is_allowed || !path.contains("/src/") || path.ends_with("tests.rs") {
            continue;
        }
        // The unit tests are at the end of a file.
        let code = lines.iter().take_while(|line| !line.starts_with("#[cfg(test)]") && !line.starts_with("#[cfg(all(test"));
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
    for Source { path, lines } in sources.iter().filter(|source| !source.path.contains("/sys")) {
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
