//! Tests of mounted servers.

use mcp_core::Server;
use serde_json::json;

use crate::double::agent;
use crate::open;

#[tokio::test]
async fn a_mounted_server_answers_mcp_messages() {
    /// Add two numbers.
    #[mcp_core::tool]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }
    let (agent, mut cli) = agent();
    let agent = agent.mount("calc", mcp_core::Server::builder("calc", "1.0.0").tools(mcp_core::tools![add]));
    let (session, first) = tokio::join!(agent.open(), cli.welcome());
    assert_eq!(first["request"]["sdkMcpServers"], json!(["calc"]));
    let call =
        json!({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 2, "b": 3}}});
    cli.ask("m", json!({"subtype": "mcp_message", "server_name": "calc", "message": call}));
    let answer = cli.next().await;
    let response = &answer["response"]["response"]["mcp_response"];
    assert_eq!((&response["id"], &response["result"]["content"][0]["text"]), (&json!(0), &json!("5")));
    cli.ask(
        "n",
        json!({"subtype": "mcp_message", "server_name": "calc",
        "message": {"jsonrpc": "2.0", "method": "notifications/initialized"}}),
    );
    assert_eq!(cli.next().await["response"]["subtype"], "success");
    drop(session);
}

#[tokio::test]
async fn a_server_mounted_later_is_removed_if_the_cli_rejects_it() {
    let (agent, mut cli) = agent();
    let session = open(agent.mount("first", Server::builder("first", "1.0.0")), &mut cli).await;
    for errors in [json!({"late": "not here"}), json!({})] {
        let handle = session.handle();
        let mounting = tokio::spawn(async move { handle.mount("late", Server::builder("late", "1.0.0")).await });
        let request = cli.next().await;
        assert_eq!(request["request"]["subtype"], "mcp_set_servers");
        let sdk = |name: &str| json!({"type": "sdk", "name": name});
        assert_eq!(request["request"]["servers"], json!({"first": sdk("first"), "late": sdk("late")}));
        let refused = errors != json!({});
        cli.answer(&request, json!({"added": ["late"], "removed": [], "errors": errors}));
        assert_eq!(mounting.await.expect("no panic").is_err(), refused);
        cli.ask(
            "ping",
            json!({"subtype": "mcp_message", "server_name": "late",
            "message": {"jsonrpc": "2.0", "id": 0, "method": "ping"}}),
        );
        assert_eq!(cli.next().await["response"]["subtype"], if refused { "error" } else { "success" });
    }
}
