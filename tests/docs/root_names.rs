//! The number of names at the root of `mcp-core`.

use std::fs;
use std::path::Path;

use crate::markdown::read;

#[test]
fn the_root_of_mcp_core_has_at_most_40_names_and_architecture_md_says_how_many() {
    let library = read("mcp-core/src/lib.rs");
    let mut names = reexported(&library);
    names.extend(exported_macros(&Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp-core/src")));
    assert!(
        ["tool", "tools", "server", "Server", "Toolset", "tool_fn"].iter().all(|name| names.contains(&(*name).to_owned()))
    );
    assert!(names.len() <= 40, "{} names: {names:?}", names.len());
    let stated = format!("{} names at the root of `mcp-core`", names.len());
    assert!(read("ARCHITECTURE.md").contains(&stated), "ARCHITECTURE.md does not say: {stated}");
}

/// Returns the names of `pub use` items that the documentation shows.
fn reexported(library: &str) -> Vec<String> {
    let (mut names, mut is_hidden) = (Vec::new(), false);
    for line in library.lines() {
        if let Some(path) = line.strip_prefix("pub use ").filter(|_| !is_hidden) {
            let path = path.strip_suffix(';').expect("a `pub use` of mcp-core/src/lib.rs is one line");
            let (_, last) = path.rsplit_once("::").expect("a path");
            assert_ne!(last, "*", "a glob hides how many names there are: {line}");
            let list = path.split_once('{').map_or(last, |(_, list)| list.trim_end_matches('}'));
            names.extend(list.split(',').map(|name| name.trim().to_owned()));
        }
        is_hidden = line == "#[doc(hidden)]";
    }
    names
}

/// Returns the names of the exported `macro_rules!` that the documentation shows. They are all at the root.
fn exported_macros(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names.extend(exported_macros(&path));
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = source.lines().collect();
        for at in (0..lines.len()).filter(|at| lines[*at] == "#[macro_export]") {
            let name = lines[at + 1].strip_prefix("macro_rules! ").and_then(|rest| rest.strip_suffix(" {"));
            if lines[at - 1] != "#[doc(hidden)]" {
                names.push(name.expect("`macro_rules!` follows `#[macro_export]`").to_owned());
            }
        }
    }
    names
}
