//! npm `@modelcontextprotocol/sdk`, version 1 of the official TypeScript SDK.

use interop::Node;
use test_env::needs;

use crate::{HANDSHAKE, client_report::ClientReport, recorded, sandbox};

#[test]
fn the_npm_sdk_uses_the_calculator_after_a_handshake() {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = sandbox("npm-sdk");
    let mut command = node.script("calculator_sdk.mjs", &sandbox);
    command.args(sandbox.server());
    let report = ClientReport::run(command);
    report.assert_complete("1.32.2", HANDSHAKE);
    report.assert_server_info();
    recorded::assert_handshake(&recorded::assert_recorded(&sandbox));
}
