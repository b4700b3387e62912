//! The README shows code that compiles and runs.

use crate::page::assert_compiled;

#[test]
fn what_the_readme_shows_is_the_example_of_that_name() {
    assert_compiled("README.md", "tests/readme.rs");
}
