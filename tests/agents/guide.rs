//! The page about agents shows code that compiles.

use crate::page::assert_compiled;

#[test]
fn what_the_page_shows_is_the_example_of_that_name() {
    assert_compiled("docs/agents.md", "examples/watching.rs");
}
