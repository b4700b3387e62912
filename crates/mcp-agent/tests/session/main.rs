//! Tests of sessions with a test double of the CLI.

mod double;
mod ends;
mod mounts;
mod questions;
mod turns;

use double::Cli;
use mcp_agent::{Agent, Session};
use serde_json::{Value, json};

async fn open(agent: Agent, cli: &mut Cli) -> Session {
    let (session, _) = tokio::join!(agent.open(), cli.welcome());
    session.expect("opens")
}

fn result(fields: Value) -> Value {
    let mut result = json!({"type": "result", "subtype": "success", "is_error": false});
    result.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    result
}

/// Plays a complete turn for the next prompt, with this result.
async fn turn(cli: &mut Cli, fields: Value) {
    let prompt = cli.next().await;
    cli.state("running");
    cli.prompt_is(&prompt["uuid"], "started");
    cli.say(result(fields));
    cli.prompt_is(&prompt["uuid"], "completed");
    cli.state("idle");
}

async fn kinds(session: &mut Session) -> Vec<String> {
    let mut kinds = Vec::new();
    while let Some(message) = session.next().await.expect("no error") {
        kinds.push(message.head().kind);
    }
    kinds
}
