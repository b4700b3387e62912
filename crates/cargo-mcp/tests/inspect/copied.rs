//! Tests that the inspector copied: `copies.rs` compares them. The path of the server is a function here.

#[tokio::test]
async fn add_returns_the_same_as_before() {
    let server = std::process::Command::new(crate::setup::playground());
    let client = mcp_client::Client::spawn(server).await.unwrap();
    let result = client.call("add", serde_json::json!({"a": 2, "b": 40})).await.unwrap();
    assert!(!result.is_error, "{}", result.to_text());
    assert_eq!(result.to_text(), "42");
}

#[tokio::test]
async fn fail_returns_the_same_as_before() {
    let server = std::process::Command::new(crate::setup::playground());
    let client = mcp_client::Client::spawn(server).await.unwrap();
    let result = client.call("fail", serde_json::json!({"reason": "no \"seats\" \\ left\n{}"})).await.unwrap();
    assert!(result.is_error, "{}", result.to_text());
    assert_eq!(result.to_text(), "no \"seats\" \\ left\n{}");
}
