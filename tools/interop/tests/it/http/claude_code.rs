//! The Claude Code CLI, with an entry of the type `http`.

use mcp_agent_test::Cli;
use serde_json::json;

use super::OverHttp;
use crate::claude_code::{cli, say};
use crate::sandbox;

#[test]
fn claude_code_shows_a_server_over_http_as_connected() {
    let Some(claude) = Cli::or_skip() else {
        return;
    };
    let (claude, server, sandbox) = (claude.path(), OverHttp::start(), sandbox("http-claude-code"));
    let entry = json!({"type": "http", "url": server.url()}).to_string();
    say(cli(claude, &sandbox, &["mcp", "add-json", "-s", "local", "calculator", &entry]));
    let listed = say(cli(claude, &sandbox, &["mcp", "list"]));
    let line = listed.lines().find(|line| line.starts_with("calculator:")).unwrap_or_else(|| panic!("{listed}"));
    assert!(line.contains(&server.url()) && line.contains("(HTTP)") && line.ends_with("✔ Connected"), "{listed}");
}
