//! What grows with a number: `growth mounts|history NUMBER` prints two times in nanoseconds.
//!
//! - `mounts`: the time to open a session of an agent with that many mounted servers, and the mean time of a call of the last one.
//! - `history`: zero, and the time to list that many stored sessions.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mcp_agent::Agent;
use mcp_agent_history::History;
use mcp_agent_test::ManualCli;
use mcp_core::{Server, tool, tools};
use serde_json::{Value, json};

/// The number of calls whose mean time is printed.
const CALLS: u64 = 2000;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[expect(clippy::print_stdout, reason = "the benchmark reads the result from standard output")]
fn main() -> Outcome<()> {
    let mut words = std::env::args().skip(1);
    let (case, number) = (words.next().ok_or("mounts or history?")?, words.next().ok_or("a number")?.parse()?);
    let [first, second] = match case.as_str() {
        "mounts" => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
            runtime.block_on(mounts(number))?
        }
        "history" => [Duration::ZERO, history(number)?],
        other => return Err(format!("unknown case {other}").into()),
    };
    println!("{} {}", first.as_nanos(), second.as_nanos());
    Ok(())
}

async fn mounts(number: u64) -> Outcome<[Duration; 2]> {
    let start = Instant::now();
    let (transport, mut cli) = ManualCli::new();
    let mut agent = Agent::new().transport(transport);
    for place in 1..=number {
        agent = agent.mount(format!("bench-{place}"), Server::builder("bench", "0").tools(tools![add]));
    }
    let opening = tokio::spawn(agent.open());
    let initialize: Value = serde_json::from_slice(&cli.next_line().await.ok_or("a frame")?)?;
    let response = json!({"subtype": "success", "request_id": initialize["request_id"]});
    cli.send_line(json!({"type": "control_response", "response": response}).to_string());
    let session = opening.await??;
    let opened = start.elapsed();
    let start = Instant::now();
    for id in 1..=CALLS {
        let params = format!(r#"{{"name":"add","arguments":{{"a":{id},"b":7}}}}"#);
        let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
        let request = format!(r#"{{"subtype":"mcp_message","server_name":"bench-{number}","message":{message}}}"#);
        cli.send_line(format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#));
        let reply = String::from_utf8(cli.next_line().await.ok_or("a frame")?)?;
        if !reply.contains(&format!(r#""text":"{}""#, id + 7)) {
            return Err(format!("a wrong reply to {id}: {reply}").into());
        }
    }
    let called = start.elapsed() / u32::try_from(CALLS)?;
    drop(session);
    Ok([opened, called])
}

/// The number of turns of each stored session.
const TURNS: usize = 10;

fn history(number: u64) -> Outcome<Duration> {
    let home = tempfile::tempdir()?;
    let folder = home.path().join(".claude/projects/-work");
    fs::create_dir_all(&folder)?;
    for place in 0..number {
        write_session(&folder, place)?;
    }
    let history = History::of_home(home.path());
    // The first list loads the files into the page cache.
    for _ in 0..2 {
        let found = history.sessions()?.len() as u64;
        if found != number {
            return Err(format!("{found} sessions instead of {number}").into());
        }
    }
    let start = Instant::now();
    history.sessions()?;
    Ok(start.elapsed())
}

/// Writes a session of some turns, as the CLI stores it.
fn write_session(folder: &Path, place: u64) -> Outcome<()> {
    let session = format!("00000000-0000-4000-8000-{place:012}");
    let mut lines = String::new();
    let mut parent = Value::Null;
    for turn in 0..2 * TURNS {
        let role = if turn % 2 == 0 { "user" } else { "assistant" };
        let uuid = format!("00000000-0000-4000-9000-{turn:012}");
        let message = json!({"role": role, "content": [{"type": "text", "text": format!("message {turn} of session {place}, of a usual length")}]});
        let line = json!({
            "type": role, "uuid": uuid, "parentUuid": parent, "sessionId": session, "cwd": "/work", "version": "2.1.327",
            "timestamp": "2026-01-31T12:00:00.000Z", "isSidechain": false, "userType": "external", "message": message,
        });
        parent = uuid.into();
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    Ok(fs::write(folder.join(format!("{session}.jsonl")), lines)?)
}
