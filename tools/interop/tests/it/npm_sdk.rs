//! npm `@modelcontextprotocol/sdk`, the first generation of the official TypeScript SDK.

use interop::{Node, needs};

use crate::{HANDSHAKE, sandbox, visit::Visit, wire};

#[test]
fn the_npm_sdk_uses_the_calculator_after_a_handshake() {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = sandbox("npm-sdk");
    let mut command = node.script("sdk.mjs", &sandbox);
    command.args(sandbox.server());
    let visit = Visit::run(command);
    visit.assert_complete("1.32.2", HANDSHAKE);
    visit.assert_introduced();
    wire::assert_handshake(&wire::assert_visited(&sandbox));
}
