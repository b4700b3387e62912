//! The code on the pages compiles, and the links lead to files that exist.

use std::fs;
use std::path::Path;

use crate::markdown::{assert_compiled, assert_compiled_as, read};

#[test]
fn the_code_of_the_pages_is_compiled() {
    for (page, file) in [
        ("README.md", "readme"),
        ("SKILL.md", "skill"),
        ("docs/state.md", "state"),
        ("docs/errors.md", "errors"),
        ("docs/testing.md", "testing"),
        ("docs/shipping.md", "own_command_line"),
        ("docs/agent.md", "agent"),
        ("docs/agent-answers.md", "agent_answers"),
        ("docs/agent-hooks.md", "agent_hooks"),
        ("docs/agent-limits.md", "agent_limits"),
        ("docs/agent-servers.md", "agent_servers"),
        ("docs/agent-sessions.md", "agent_sessions"),
        ("docs/agent-testing.md", "agent_testing"),
        ("docs/agent-transports.md", "agent_transports"),
        ("docs/from-agent-sdk.md", "from_agent_sdk"),
        ("docs/client.md", "client"),
        ("docs/from-rmcp.md", "from_rmcp"),
        ("docs/permissions.md", "permissions"),
        ("docs/client-authorization.md", "client_authorization"),
        ("docs/watching.md", "watching"),
    ] {
        assert_compiled(page, &format!("tests/docs/code/{file}.rs"));
    }
}

#[test]
fn the_page_about_agents_shows_the_code_of_the_example_watching() {
    assert_compiled("docs/agents.md", "examples/watching.rs");
}

#[test]
fn the_rmcp_server_of_the_migration_page_is_compiled() {
    assert_compiled_as("docs/from-rmcp.md", "rmcp", "tools/torture/peers/rmcp/src/bin/notes.rs");
}

#[test]
fn the_client_before_the_migration_is_compiled_too() {
    assert_compiled_as("docs/from-rmcp.md", "rmcp-client", "crates/mcp-client/tests/peers/rmcp_client.rs");
    assert_compiled_as("docs/from-rmcp.md", "client", "tests/docs/code/from_rmcp_client.rs");
}

#[test]
fn every_link_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs =
        fs::read_dir(root.join("docs")).unwrap().map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    for page in docs
        .filter(|page| page.ends_with(".md"))
        .chain(["README.md", "SKILL.md", "llms.txt", "examples/README.md"].map(str::to_owned))
    {
        let (text, folder) = (read(&page), root.join(&page).parent().unwrap().to_owned());
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let is_ours = !file.is_empty() && !file.contains("://");
            assert!(!is_ours || folder.join(file).exists(), "{page}: broken link {link}");
        }
    }
}

#[test]
fn the_readme_links_to_an_index_of_all_pages() {
    assert!(read("README.md").contains("](docs/README.md)"), "README.md does not link to docs/README.md");
    let index = read("docs/README.md");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).unwrap() {
        let name = entry.unwrap().file_name().display().to_string();
        let is_page = name.ends_with(".md") && name != "README.md";
        assert!(!is_page || index.contains(&format!("]({name})")), "docs/README.md does not list {name}");
    }
}

#[test]
fn the_list_of_examples_is_complete() {
    let list = read("examples/README.md");
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap() {
        let name = entry.unwrap().file_name().display().to_string();
        let (name, is_file) = (name.trim_end_matches(".rs"), name.ends_with(".rs"));
        let link = if is_file { format!("[{name}]({name}.rs)") } else { format!("[{name}]({name}/") };
        assert!(name == "README.md" || list.contains(&link), "examples/README.md does not list {name}");
    }
}

/// The registry shows this file, and not the page of the repository.
#[test]
fn the_readme_of_each_published_crate_is_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in read(".ci/crates").lines() {
        let folder =
            [name.to_owned(), format!("crates/{name}")].into_iter().find(|folder| root.join(folder).exists()).unwrap();
        let readme = read(&format!("{folder}/README.md"));
        assert!(readme.starts_with(&format!("# {name}\n\n")) && readme.lines().count() >= 8, "{folder}");
        assert!(read(&format!("{folder}/Cargo.toml")).contains("readme = \"README.md\""), "{folder}");
    }
}

#[test]
fn the_readme_has_at_most_150_lines_and_75_before_the_table_of_crates() {
    let readme = read("README.md");
    assert!(readme.lines().count() <= 150);
    let before = readme.lines().position(|line| line.starts_with("| crate |")).expect("the table of crates");
    assert!(before <= 75, "{before} lines before the table");
    let pictures = readme.lines().take(before).filter(|line| line.starts_with("![")).count();
    assert!(pictures <= 1, "{pictures} pictures before the table");
}
