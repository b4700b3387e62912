//! npm `@modelcontextprotocol/client`, the second generation of the official TypeScript SDK, in its three modes.

use interop::{Conversation, Node, needs};

use crate::{HANDSHAKE, STATELESS, sandbox, visit::Visit, wire};

#[test]
fn the_npm_client_in_legacy_mode_uses_the_calculator_after_a_handshake() {
    let Some(visit) = visited("legacy", HANDSHAKE) else {
        return;
    };
    wire::assert_handshake(&visit);
}

#[test]
fn the_npm_client_in_auto_mode_finds_the_stateless_revision_and_uses_it() {
    let Some(visit) = visited("auto", STATELESS) else {
        return;
    };
    wire::assert_stateless(&visit);
}

#[test]
fn the_npm_client_pinned_to_the_stateless_revision_uses_the_calculator() {
    let Some(visit) = visited(STATELESS, STATELESS) else {
        return;
    };
    wire::assert_stateless(&visit);
}

fn visited(mode: &str, revision: &str) -> Option<Conversation> {
    let node = needs(Node::clients())?;
    let sandbox = sandbox(&format!("npm-client-{mode}"));
    let mut command = node.script("client.mjs", &sandbox);
    command.arg(mode).args(sandbox.server());
    let visit = Visit::run(command);
    visit.assert_complete("2.4.0", revision);
    visit.assert_introduced();
    Some(wire::assert_visited(&sandbox))
}
