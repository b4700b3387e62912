//! The client that `hostile_servers.py` controls: `client legacy|stateless URL`, or `client legacy|stateless COMMAND..`.
//!
//! Each line of its input is a command: `connect`, `call`, `list`, `calls COUNT`, or `close`. Each line of its output is the outcome: `{"ok": ..}` or
//! `{"error": ..}`. A call has a time limit of three seconds. Requests for a form are accepted.

use std::io::{BufRead as _, Write as _};
use std::process::Command;
use std::time::Duration;

use mcp_client::{Builder, CallError, Client, Elicited, Recovery, Revision};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

const LIMIT: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut client = None;
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("commands are text");
        let (command, count) = line.split_once(' ').unwrap_or((&line, "0"));
        let outcome = match (command, &client) {
            ("connect", _) => match builder(&arguments).await {
                Ok(connected) => {
                    client = Some(connected);
                    Ok(json!(true))
                }
                Err(error) => Err(error.to_string()),
            },
            ("call", Some(client)) => call(client).await.map_err(|error| error.to_string()),
            ("calls", Some(client)) => Ok(calls(client, count.parse().expect("a number")).await),
            ("list", Some(client)) => {
                let tools = client.tools().all().await;
                tools.map(|tools| json!(tools.len())).map_err(|error| error.to_string())
            }
            ("close", Some(client)) => {
                client.clone().close().await;
                Ok(json!(true))
            }
            _ => Err(format!("`{command}` is impossible")),
        };
        report(outcome);
    }
}

fn builder(arguments: &[String]) -> Builder {
    let revision = if arguments[0] == "stateless" { Revision::NEWEST } else { Revision::NEWEST_HANDSHAKE };
    let builder = if arguments[1].starts_with("http") {
        Client::http(arguments[1].clone())
    } else {
        let mut command = Command::new(&arguments[1]);
        command.args(&arguments[2..]);
        Client::spawn(command)
    };
    let accept = async |_| Ok(Elicited::Accepted(Map::new()));
    builder.revision(revision).timeout(LIMIT).connect_timeout(LIMIT).recovery(Recovery::off()).on_elicit(accept)
}

async fn call(client: &Client) -> Result<Value, CallError> {
    Ok(json!(client.call("t", ()).await?.to_text()))
}

/// Makes many calls at once. Returns how many of them failed.
async fn calls(client: &Client, count: usize) -> Value {
    let mut calls = JoinSet::new();
    for _ in 0..count {
        calls.spawn(client.call("t", json!({"text": "x".repeat(1000)})).into_future());
    }
    let failed = calls.join_all().await.into_iter().filter(Result::is_err).count();
    json!(failed)
}

#[expect(clippy::print_stdout, reason = "the output of this program is the outcome")]
fn report(outcome: Result<Value, String>) {
    let line = match outcome {
        Ok(value) => json!({"ok": value}),
        Err(error) => json!({"error": error.chars().take(300).collect::<String>(), "length": error.len()}),
    };
    println!("{line}");
    let _ = std::io::stdout().flush();
}
