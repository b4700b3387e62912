//! The client of `docs/from-rmcp.md`, after.

use std::process::Command;

use mcp_client::Client;
use serde_json::json;

async fn remember(server: Command) -> Result<String, Box<dyn std::error::Error>> {
    let client = Client::spawn(server).await?;
    for tool in client.tools().all().await? {
        println!("{}", tool.name);
    }
    Ok(client.call_as("write", json!({"title": "tea", "text": "three minutes"})).await?)
}
