//! The Claude Code CLI, with an entry of the type `http`.

use serde_json::json;

use super::OverHttp;
use crate::claude_code::{cli, output_of};
use crate::sandbox;

#[test]
fn claude_code_shows_a_server_over_http_as_connected() {
    let Some(claude) = crate::claude_code_cli() else {
        return;
    };
    let (claude, server, sandbox) = (claude.path(), OverHttp::start(), sandbox("http-claude-code"));
    let entry = json!({"type": "http", "url": server.url()}).to_string();
    output_of(cli(claude, &sandbox, &["mcp", "add-json", "-s", "local", "calculator", &entry]));
    let listed = output_of(cli(claude, &sandbox, &["mcp", "list"]));
    let line = listed.lines().find(|line| line.starts_with("calculator:")).unwrap_or_else(|| panic!("{listed}"));
    assert!(line.contains(&server.url()) && line.contains("(HTTP)") && line.ends_with("✔ Connected"), "{listed}");
}
