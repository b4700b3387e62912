//! PyPI `mcp`, the official Python SDK, in its three modes.

use interop::{Conversation, Python, needs};

use crate::{HANDSHAKE, STATELESS, sandbox, visit::Visit, wire};

#[test]
fn the_python_sdk_in_auto_mode_discovers_the_stateless_revision_and_uses_it() {
    let Some((visit, conversation)) = visited("auto", STATELESS) else {
        return;
    };
    visit.assert_introduced();
    assert_eq!(conversation.methods().next(), Some("server/discover"));
    wire::assert_stateless(&conversation);
}

#[test]
fn the_python_sdk_in_legacy_mode_uses_the_calculator_after_a_handshake() {
    let Some((visit, conversation)) = visited("legacy", HANDSHAKE) else {
        return;
    };
    visit.assert_introduced();
    wire::assert_handshake(&conversation);
}

#[test]
fn the_python_sdk_pinned_to_the_stateless_revision_needs_no_opening_at_all() {
    let Some((_, conversation)) = visited(STATELESS, STATELESS) else {
        return;
    };
    assert_eq!(conversation.methods().next(), Some("tools/list"));
    wire::assert_stateless(&conversation);
}

fn visited(mode: &str, revision: &str) -> Option<(Visit, Conversation)> {
    let python = needs(Python::clients())?;
    let sandbox = sandbox(&format!("python-mcp-{mode}"));
    let mut command = python.script("mcp_client.py", &sandbox);
    command.arg(mode).args(sandbox.server());
    let visit = Visit::run(command);
    visit.assert_complete("2.3.0", revision);
    Some((visit, wire::assert_visited(&sandbox)))
}
