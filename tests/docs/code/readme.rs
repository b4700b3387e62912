//! The code of `README.md`.

use mcp_core::{server, tool, tools};

/// Add two numbers.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

fn main() -> std::process::ExitCode {
    mcp_stdio::run(server!().tools(tools![add]))
}

use mcp_test::Client;
use serde_json::json;

#[tokio::test]
async fn two_and_three_are_five() {
    let client = Client::new(server!().tools(tools![add]));
    assert_eq!(client.call("add", json!({"a": 2, "b": 3})).await.to_text(), "5");
}

use mcp_agent::Agent;
use mcp_guard::{Layer, Rules};

async fn ask() -> Result<(), Box<dyn std::error::Error>> {
    let mut session = Agent::new()
        .mount("calc", server!().tools(tools![add]))
        .allow_tools(["mcp__calc__add"])
        .rules(Rules::new("/code").deny(Layer::User, "Read(.env)")?)
        .open()
        .await?;
    session.send("What is 2 + 3? Use the tool.").await?;
    while let Some(message) = session.next().await? {
        if let Some(text) = message.text() {
            println!("{text}");
        }
    }
    Ok(())
}

use mcp_core::ToolError;

/// Count the words in a file.
#[tool(read_only)]
fn count_words(path: String) -> Result<usize, ToolError> {
    Ok(std::fs::read_to_string(path)?.split_whitespace().count())
}

async fn add_on(server: std::process::Command) -> Result<i64, Box<dyn std::error::Error>> {
    let client = mcp_client::Client::spawn(server).await?;
    Ok(client.call_as("add", json!({"a": 2, "b": 3})).await?)
}
