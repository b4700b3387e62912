//! The README shows code that compiles and runs.

use std::fs;
use std::path::Path;

#[test]
fn what_the_readme_shows_is_the_example_of_that_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let example = fs::read_to_string(root.join("examples/readme.rs")).unwrap();
    let shown: String = readme.split("```rust\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    let (_, compiled) = example.split_once("\n\n").unwrap();
    assert_eq!(words(&shown), words(compiled), "examples/readme.rs is not what README.md shows");
}

/// White space is the formatter's business.
fn words(code: &str) -> String {
    code.split_whitespace().collect()
}
