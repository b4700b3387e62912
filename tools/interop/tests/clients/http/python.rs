//! The official Python SDK.

use interop::Python;
use test_env::needs;

use super::OverHttp;
use crate::{HANDSHAKE, STATELESS, client_report::ClientReport, sandbox};

#[test]
fn the_python_sdk_uses_the_calculator_over_http_in_each_of_its_modes() {
    let Some(python) = needs(Python::clients()) else {
        return;
    };
    for (mode, revision) in [("auto", STATELESS), ("legacy", HANDSHAKE), (STATELESS, STATELESS)] {
        let server = OverHttp::start();
        let sandbox = sandbox(&format!("http-python-{mode}"));
        let mut command = python.script("calculator_mcp.py", &sandbox);
        command.arg(mode).arg(server.url());
        ClientReport::run(command).assert_complete("2.3.0", revision);
    }
}
