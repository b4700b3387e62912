//! The code of `docs/client.md`.

use std::process::Command;
use std::time::Duration;

use mcp_client::{CallError, Client, Completable, ElicitationMode, Elicited, LogLevel, Recovery, State};
use serde_json::{Map, json};

async fn call(server: Command) -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::spawn(server).await?;
    let sum: i64 = client.call_as("add", json!({"a": 2, "b": 3})).await?;
    assert_eq!(sum, 5);
    Ok(())
}

use mcp_core::{Context, server, tool, tools};

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Greet somebody.
#[tool]
async fn greet(name: String, #[default("hello")] word: String, cx: &Context) -> Result<String, String> {
    cx.progress(0, 1, "thinking");
    if name.is_empty() { Err("nobody to greet".to_owned()) } else { Ok(format!("{word}, {name}")) }
}

pub async fn typed() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::of(server!().tools(tools![add, greet])).await?;
    assert_eq!(add::on(&client).call(2, 3).await?, 5);
    assert_eq!(greet::on(&client).call("Ada", None).await?, "hello, Ada");
    Ok(())
}

pub async fn look_around(client: &Client) -> Result<(), CallError> {
    let mut tools = client.tools();
    while let Some(tool) = tools.next().await {
        let tool = tool?;
        println!("{}: {}", tool.name, tool.description.unwrap_or_default());
    }
    for resource in client.resources().all().await? {
        println!("{}: {} contents", resource.uri, client.read(&resource.uri).await?.len());
    }
    let prompt = client.prompt("review", [("code", "x = 1")]).await?;
    println!("{:?}", prompt.messages);
    Ok(())
}

pub async fn build(client: &Client) -> Result<String, CallError> {
    let mut call = client
        .call("build", json!({"target": "release"}))
        .timeout(Duration::from_secs(60))
        .reset_timeout_on_progress(Duration::from_secs(3600))
        .start();
    while let Some(progress) = call.progress().await {
        println!("{} of {:?}", progress.progress, progress.total);
    }
    Ok(call.await?.to_text())
}

pub async fn with_a_user(url: &str) -> Result<Client, mcp_client::ConnectError> {
    let builder = Client::http(url).on_elicit(async |elicitation| match elicitation.mode {
        ElicitationMode::Form { schema } => Ok(ask_user(&elicitation.message, &schema)),
        // Show the whole address before the browser opens it.
        ElicitationMode::Url { url, .. } => Ok(ask_user(&elicitation.message, &json!({"title": url}))),
        _ => Ok(Elicited::Declined),
    });
    builder.await
}

fn ask_user(message: &str, schema: &serde_json::Value) -> Elicited<Map<String, serde_json::Value>> {
    println!("{message}\n{schema}");
    Elicited::Accepted(Map::from_iter([("name".to_owned(), json!("Ada"))]))
}

async fn patiently(server: Command) -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::spawn(server).recovery(Recovery::default().attempts(20)).await?;
    let mut states = client.states();
    match client.call("pay", json!({"euro": 5})).await {
        Ok(result) => println!("{}", result.to_text()),
        Err(error) if error.not_begun() => println!("not paid: {error}"),
        // The server may have paid. Only you know whether to try again.
        Err(CallError::Lost { begun: true, reason }) => println!("perhaps paid: {reason}"),
        Err(error) => println!("refused: {error}"),
    }
    while client.state() != State::Connected {
        println!("{:?}", states.next().await);
    }
    Ok(())
}

pub async fn observed(url: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let client = Client::http(url)
        .header("x-team", "tea")
        .trace_context(|| Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned()))
        .on_message(|direction, json| println!("{direction:?} {}", String::from_utf8_lossy(json)))
        .log_level(LogLevel::Info)
        .await?;
    client.set_log_level(LogLevel::Debug).await?;
    client.call("add", json!({"a": 2, "b": 3})).meta("example.com/reason", "a test").await?;
    let prompt = Completable::Prompt("review".to_owned());
    Ok(client.complete(prompt, "code", "x", [("", ""); 0]).await?.values)
}
