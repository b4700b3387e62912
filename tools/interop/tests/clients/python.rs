//! The Python clients in their three modes: PyPI `mcp`, the official SDK, and `fastmcp`, a framework on top of it whose client requests
//! progress and logs with every call.

use interop::{Python, Recording};
use test_env::needs;

use crate::{HANDSHAKE, STATELESS, client_report::ClientReport, recorded, sandbox};

/// A package with a client.
struct Package {
    name: &'static str,
    version: &'static str,
}

const MCP: Package = Package { name: "mcp", version: "2.3.0" };
const FASTMCP: Package = Package { name: "fastmcp", version: "4.1.2" };

#[test]
fn the_python_sdk_in_auto_mode_discovers_the_stateless_revision_and_uses_it() {
    discovers(&MCP);
}

#[test]
fn the_fastmcp_client_in_auto_mode_discovers_the_stateless_revision_and_uses_it() {
    discovers(&FASTMCP);
}

#[test]
fn the_python_sdk_in_legacy_mode_uses_the_calculator_after_a_handshake() {
    initializes(&MCP);
}

#[test]
fn the_fastmcp_client_in_legacy_mode_uses_the_calculator_after_a_handshake() {
    initializes(&FASTMCP);
}

#[test]
fn the_python_sdk_pinned_to_the_stateless_revision_needs_no_first_request() {
    calls_at_once(&MCP);
}

#[test]
fn the_fastmcp_client_pinned_to_the_stateless_revision_needs_no_first_request() {
    calls_at_once(&FASTMCP);
}

fn discovers(package: &Package) {
    let Some((report, recording)) = run_client(package, "auto", STATELESS) else {
        return;
    };
    report.assert_server_info();
    assert_eq!(recording.client_methods().next(), Some("server/discover"));
    recorded::assert_stateless(&recording);
}

fn initializes(package: &Package) {
    let Some((report, recording)) = run_client(package, "legacy", HANDSHAKE) else {
        return;
    };
    report.assert_server_info();
    recorded::assert_handshake(&recording);
}

fn calls_at_once(package: &Package) {
    let Some((_, recording)) = run_client(package, STATELESS, STATELESS) else {
        return;
    };
    assert_eq!(recording.client_methods().next(), Some("tools/list"));
    recorded::assert_stateless(&recording);
}

fn run_client(package: &Package, mode: &str, revision: &str) -> Option<(ClientReport, Recording)> {
    let python = needs(Python::clients())?;
    let sandbox = sandbox(&format!("python-{}-{mode}", package.name));
    let mut command = python.script(&format!("calculator_{}.py", package.name), &sandbox);
    command.arg(mode).args(sandbox.server());
    let report = ClientReport::run(command);
    report.assert_complete(package.version, revision);
    Some((report, recorded::assert_recorded(&sandbox)))
}
