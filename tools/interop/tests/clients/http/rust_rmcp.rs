//! The official Rust SDK.

use rmcp::model::ProtocolVersion;
use rmcp::service::ClientLifecycleMode;
use rmcp::transport::StreamableHttpClientTransport;

use super::OverHttp;
use crate::rust_rmcp::{VERSION, config, finished, report};
use crate::{HANDSHAKE, STATELESS, client_report::ClientReport};

#[test]
fn the_rust_sdk_uses_the_calculator_over_http_after_a_handshake() {
    for revision in ["2025-03-26", "2025-06-18", HANDSHAKE] {
        run_client(ClientLifecycleMode::Initialize, revision, revision);
    }
}

#[test]
fn the_rust_sdk_uses_the_calculator_over_http_without_a_handshake() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let discover = ClientLifecycleMode::Discover { preferred_versions: preferred_versions.clone() };
    run_client(discover, STATELESS, STATELESS);
    run_client(ClientLifecycleMode::Auto { preferred_versions, legacy_version: None }, STATELESS, STATELESS);
}

fn run_client(lifecycle: ClientLifecycleMode, wanted: &str, agreed: &str) {
    let server = OverHttp::start();
    let seen = finished(async {
        let transport = StreamableHttpClientTransport::from_uri(server.url());
        report(transport, config(wanted), lifecycle).await
    });
    let report = ClientReport::from_json(seen);
    report.assert_complete(VERSION, agreed);
    report.assert_server_info();
}
