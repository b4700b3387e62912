//! Invalid handshakes.

use std::time::Duration;

use mcp_client::{ConnectError, Revision};
use serde_json::{Value, json};

use crate::wire::{still_works, unconnected};

/// Returns the outcome of a handshake with this answer to `initialize`.
async fn initialized(result: Value) -> Option<ConnectError> {
    let (builder, mut wire) = unconnected();
    let connecting = tokio::spawn(builder.revision(Revision::V2025_11_25).into_future());
    let (id, _) = wire.request().await;
    wire.answer(id, result).await;
    connecting.await.unwrap().err()
}

pub(crate) async fn an_unknown_revision() {
    for version in ["1999-01-01".to_owned(), "x".repeat(1 << 20)] {
        let error = initialized(json!({"protocolVersion": version, "capabilities": {}})).await.unwrap();
        assert!(matches!(error, ConnectError::Revision(_)) && error.to_string().len() < 300, "{error}");
    }
}

pub(crate) async fn a_stateless_revision_from_a_handshake() {
    let error = initialized(json!({"protocolVersion": "2026-07-28", "capabilities": {}})).await.unwrap();
    assert!(matches!(error, ConnectError::Revision(_)), "{error}");
    // The client allows only another revision.
    let error = initialized(json!({"protocolVersion": "2024-11-05", "capabilities": {}})).await.unwrap();
    assert!(matches!(error, ConnectError::Revision(_)), "{error}");
}

pub(crate) async fn no_revision_at_all() {
    for result in [
        json!({}),
        json!(null),
        json!([]),
        json!({"protocolVersion": 1}),
        json!({"protocolVersion": "2025-11-25", "capabilities": 7}),
    ] {
        let error = initialized(result.clone()).await.unwrap();
        assert!(matches!(error, ConnectError::Invalid(_)), "{result}: {error}");
    }
}

pub(crate) async fn silence() {
    let (builder, mut wire) = unconnected();
    let options = builder.probe_timeout(Duration::from_millis(100)).connect_timeout(Duration::from_millis(400));
    let connecting = tokio::spawn(options.into_future());
    assert_eq!(wire.request().await.1["method"], "server/discover");
    assert_eq!(wire.request().await.1["method"], "initialize");
    assert!(matches!(connecting.await.unwrap(), Err(ConnectError::Timeout(_))));
}

/// A server that seems slow gets both requests. The first valid answer decides.
pub(crate) async fn a_slow_start() {
    let discovered = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}});
    let initialized = json!({"protocolVersion": "2025-06-18", "capabilities": {}});
    let refusal =
        |id: u64| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32022, "message": "the other one came first"}});
    for (first_is_good, expected) in [(true, Revision::NEWEST), (false, Revision::V2025_06_18)] {
        for in_order in [true, false] {
            let (builder, mut wire) = unconnected();
            let connecting = tokio::spawn(builder.probe_timeout(Duration::from_millis(50)).into_future());
            let ((discover, _), (initialize, _)) = (wire.request().await, wire.request().await);
            let answer = |id, result: &Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
            let mut answers = match first_is_good {
                true => [answer(discover, &discovered), refusal(initialize)],
                false => [refusal(discover), answer(initialize, &initialized)],
            };
            if !in_order {
                answers.reverse();
            }
            wire.line(format!("{}\n{}", answers[0], answers[1])).await;
            let client = connecting.await.unwrap().unwrap();
            assert_eq!(client.server().await.unwrap().revision, expected, "{in_order}");
        }
    }
}

pub(crate) async fn a_lie_about_versions() {
    for versions in [json!([]), json!(["2030-01-01"]), json!(["2025-11-25"])] {
        let (builder, mut wire) = unconnected();
        let connecting = tokio::spawn(builder.into_future());
        let (id, _) = wire.request().await;
        wire.answer(id, json!({"supportedVersions": versions, "capabilities": {}})).await;
        let (id, message) = wire.request().await;
        assert_eq!(message["method"], "initialize");
        wire.answer(id, json!({"protocolVersion": "2025-06-18", "capabilities": {}})).await;
        let client = connecting.await.unwrap().unwrap();
        assert_eq!(client.server().await.unwrap().revision, Revision::V2025_06_18);
        still_works(&client, &mut wire).await;
    }
}

pub(crate) async fn nonsense_instead_of_discovery() {
    for answer in
        [r#""result":[]"#, r#""result":{"supportedVersions":"all"}"#, r#""error":{"code":1,"message":""}"#, r#""error":7"#]
    {
        let (builder, mut wire) = unconnected();
        let connecting = tokio::spawn(builder.into_future());
        let (id, _) = wire.request().await;
        wire.line(format!(r#"{{"jsonrpc":"2.0","id":{id},{answer}}}"#)).await;
        let (id, _) = wire.request().await;
        wire.answer(id, json!({"protocolVersion": "2024-11-05", "capabilities": {}})).await;
        connecting.await.unwrap().unwrap();
    }
}
