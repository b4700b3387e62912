//! npm `@modelcontextprotocol/client`, version 2 of the official TypeScript SDK, in its three modes.

use interop::{Node, Recording};
use test_env::needs;

use crate::{HANDSHAKE, STATELESS, client_report::ClientReport, recorded, sandbox};

#[test]
fn the_npm_client_in_legacy_mode_uses_the_calculator_after_a_handshake() {
    let Some(recording) = run_client("legacy", HANDSHAKE) else {
        return;
    };
    recorded::assert_handshake(&recording);
}

#[test]
fn the_npm_client_in_auto_mode_finds_the_stateless_revision_and_uses_it() {
    let Some(recording) = run_client("auto", STATELESS) else {
        return;
    };
    recorded::assert_stateless(&recording);
}

#[test]
fn the_npm_client_pinned_to_the_stateless_revision_uses_the_calculator() {
    let Some(recording) = run_client(STATELESS, STATELESS) else {
        return;
    };
    recorded::assert_stateless(&recording);
}

fn run_client(mode: &str, revision: &str) -> Option<Recording> {
    let node = needs(Node::clients())?;
    let sandbox = sandbox(&format!("npm-client-{mode}"));
    let mut command = node.script("calculator_client.mjs", &sandbox);
    command.arg(mode).args(sandbox.server());
    let report = ClientReport::run(command);
    report.assert_complete("2.4.0", revision);
    report.assert_server_info();
    Some(recorded::assert_recorded(&sandbox))
}
