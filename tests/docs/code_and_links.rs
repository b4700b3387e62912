//! The pages show code that compiles, and lead to files that exist.

use std::fs;
use std::path::Path;

use crate::markdown::{assert_compiled, assert_compiled_as, read};

#[test]
fn what_the_pages_show_is_compiled() {
    for (page, file) in [
        ("README.md", "readme"),
        ("docs/state.md", "state"),
        ("docs/errors.md", "errors"),
        ("docs/testing.md", "testing"),
        ("docs/shipping.md", "own_command_line"),
        ("docs/agent.md", "agent"),
        ("docs/client.md", "client"),
        ("docs/from-rmcp.md", "from_rmcp"),
    ] {
        assert_compiled(page, &format!("tests/docs/code/{file}.rs"));
    }
}

#[test]
fn the_page_about_agents_shows_the_example_watching() {
    assert_compiled("docs/agents.md", "examples/watching.rs");
}

#[test]
fn the_server_before_the_migration_is_compiled_too() {
    assert_compiled_as("docs/from-rmcp.md", "rmcp", "tools/torture/peers/rmcp/src/bin/notes.rs");
}

#[test]
fn the_client_before_the_migration_is_compiled_too() {
    assert_compiled_as("docs/from-rmcp.md", "rmcp-client", "crates/mcp-client/tests/peers/rmcp_client.rs");
    assert_compiled_as("docs/from-rmcp.md", "client", "tests/docs/code/from_rmcp_client.rs");
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs =
        fs::read_dir(root.join("docs")).unwrap().map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    for page in docs.filter(|page| page.ends_with(".md")).chain(["README.md".to_owned()]) {
        let (text, folder) = (read(&page), root.join(&page).parent().unwrap().to_owned());
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let is_ours = !file.is_empty() && !file.contains("://");
            assert!(!is_ours || folder.join(file).exists(), "{page} leads to {link}");
        }
    }
}

#[test]
fn the_readme_is_short_enough_to_be_read() {
    assert!(read("README.md").lines().count() <= 150);
}
