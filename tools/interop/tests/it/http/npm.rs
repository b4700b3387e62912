//! The two generations of the official TypeScript SDK.

use std::ffi::OsString;

use interop::{Node, needs};

use super::OverHttp;
use crate::{HANDSHAKE, STATELESS, sandbox, visit::Visit};

#[test]
fn the_npm_sdk_uses_the_calculator_over_http_after_a_handshake() {
    let server = OverHttp::start();
    visited("sdk.mjs", &[server.url().into()], "1.32.2", HANDSHAKE);
}

#[test]
fn the_npm_sdk_uses_the_calculator_over_the_older_transport_too() {
    let server = OverHttp::start();
    visited("sdk.mjs", &[server.sse().into()], "1.32.2", HANDSHAKE);
}

#[test]
fn the_npm_client_uses_the_calculator_over_http_in_each_of_its_modes() {
    for (mode, revision) in [("legacy", HANDSHAKE), ("auto", STATELESS), (STATELESS, STATELESS)] {
        let server = OverHttp::start();
        visited("client.mjs", &[mode.into(), server.url().into()], "2.4.0", revision);
    }
}

fn visited(script: &str, arguments: &[OsString], version: &str, revision: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = sandbox(&format!("http-npm-{script}-{}", arguments.len()));
    let mut command = node.script(script, &sandbox);
    command.args(arguments);
    let visit = Visit::run(command);
    visit.assert_complete(version, revision);
    visit.assert_introduced();
}
