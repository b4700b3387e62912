//! The two versions of the official TypeScript SDK.

use std::ffi::OsString;

use interop::Node;
use test_env::needs;

use super::OverHttp;
use crate::{HANDSHAKE, STATELESS, client_report::ClientReport, sandbox};

#[test]
fn the_npm_sdk_uses_the_calculator_over_http_after_a_handshake() {
    let server = OverHttp::start();
    run_client("calculator_sdk.mjs", &[server.url().into()], "1.32.2", HANDSHAKE);
}

#[test]
fn the_npm_sdk_uses_the_calculator_over_the_sse_transport() {
    let server = OverHttp::start();
    run_client("calculator_sdk.mjs", &[server.sse().into()], "1.32.2", HANDSHAKE);
}

#[test]
fn the_npm_client_uses_the_calculator_over_http_in_each_of_its_modes() {
    for (mode, revision) in [("legacy", HANDSHAKE), ("auto", STATELESS), (STATELESS, STATELESS)] {
        let server = OverHttp::start();
        run_client("calculator_client.mjs", &[mode.into(), server.url().into()], "2.4.0", revision);
    }
}

fn run_client(script: &str, arguments: &[OsString], version: &str, revision: &str) {
    let Some(node) = needs(Node::clients()) else {
        return;
    };
    let sandbox = sandbox(&format!("http-npm-{script}-{}", arguments.len()));
    let mut command = node.script(script, &sandbox);
    command.args(arguments);
    let report = ClientReport::run(command);
    report.assert_complete(version, revision);
    report.assert_server_info();
}
