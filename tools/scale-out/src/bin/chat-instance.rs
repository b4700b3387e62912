//! One of several instances of a program with chats: `chat-instance REDIS`. Prints its address to standard output.
//!
//! Its CLI is scripted: in each turn it says 50 texts, asks for permission, and says whether it was allowed. Then it goes on
//! forever.

use std::error::Error;
use std::time::Duration;

use mcp_agent::Agent;
use mcp_agent_test::{Script, ScriptedCli};
use mcp_agent_web::{Access, Hub};
use mcp_agent_web_redis::RedisChats;
use serde_json::json;

fn script() -> Script {
    let ask = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t"});
    let texts = (0..50).fold(Script::new().initialize().prompt(), |script, number| script.text(&format!("text {number}")));
    let answered = texts.send_request("ask", ask).expect_response("ask").text("answered");
    answered.expect(json!({"type": "a line that never comes"}))
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the tests read the address")]
async fn main() -> Result<(), Box<dyn Error>> {
    let redis = std::env::args().nth(1).ok_or("usage: chat-instance REDIS")?;
    let cli = ScriptedCli::new(script());
    let hub = Hub::builder(move |chat| Agent::new().transport(cli.clone()).permission(chat.ask()));
    let hub = hub.store(RedisChats::connect(&redis).await?).access(Access::token("secret")).lease(Duration::from_secs(2));
    let hub = hub.ring(20, usize::MAX).build();
    let app = axum::Router::new().nest("/agent", hub.router());
    hub.serve_with(app, "127.0.0.1:0", |address| println!("{address}")).await?;
    Ok(())
}
