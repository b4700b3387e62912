//! PyPI `fastmcp`, a Python framework for MCP, in its three modes. Its client requests progress and logs with every call.

use interop::{Python, Recording};
use test_env::needs;

use crate::{HANDSHAKE, STATELESS, client_report::ClientReport, recorded, sandbox};

#[test]
fn the_fastmcp_client_in_auto_mode_discovers_the_stateless_revision_and_uses_it() {
    let Some((report, recording)) = run_client("auto", STATELESS) else {
        return;
    };
    report.assert_server_info();
    assert_eq!(recording.client_methods().next(), Some("server/discover"));
    recorded::assert_stateless(&recording);
}

#[test]
fn the_fastmcp_client_in_legacy_mode_uses_the_calculator_after_a_handshake() {
    let Some((report, recording)) = run_client("legacy", HANDSHAKE) else {
        return;
    };
    report.assert_server_info();
    recorded::assert_handshake(&recording);
}

#[test]
fn the_fastmcp_client_pinned_to_the_stateless_revision_needs_no_first_request() {
    let Some((_, recording)) = run_client(STATELESS, STATELESS) else {
        return;
    };
    assert_eq!(recording.client_methods().next(), Some("tools/list"));
    recorded::assert_stateless(&recording);
}

fn run_client(mode: &str, revision: &str) -> Option<(ClientReport, Recording)> {
    let python = needs(Python::clients())?;
    let sandbox = sandbox(&format!("python-fastmcp-{mode}"));
    let mut command = python.script("calculator_fastmcp.py", &sandbox);
    command.arg(mode).args(sandbox.server());
    let report = ClientReport::run(command);
    report.assert_complete("4.1.2", revision);
    Some((report, recorded::assert_recorded(&sandbox)))
}
