//! A client written by hand, without a framework: it writes a line, and reads a line.
//!
//! `hand_client [--tokio] ONE_AT_A_TIME IN_FLIGHT SERVER..`. Without `--tokio` it blocks in `read`, as the client of a command-line
//! program may. With it, the pipes are those of tokio, as a program needs that does something else at the same time.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};

#[derive(Serialize)]
struct Request {
    jsonrpc: &'static str,
    id: u64,
    method: &'static str,
    params: Params,
}

#[derive(Serialize)]
struct Params {
    name: &'static str,
    arguments: Add,
}

#[derive(Serialize)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct Reply {
    id: u64,
    result: CallResult,
}

#[derive(Deserialize)]
struct CallResult {
    content: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"hand","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn main() -> io::Result<()> {
    let mut arguments: Vec<String> = std::env::args().collect();
    let is_async = arguments.get(1).is_some_and(|first| first == "--tokio");
    if is_async {
        arguments.remove(1);
    }
    let (one, flight, server) = asked(arguments.into_iter().skip(1));
    let times = if is_async {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(run_async(one, flight, &server))?
    } else {
        run(one, flight, &server)?
    };
    print(times, [one, flight]);
    Ok(())
}

fn request(id: u64, line: &mut Vec<u8>) {
    let (a, b) = operands(id);
    let params = Params { name: "add", arguments: Add { a, b } };
    serde_json::to_writer(&mut *line, &Request { jsonrpc: "2.0", id, method: "tools/call", params }).expect("it is JSON");
    line.push(b'\n');
}

/// Removes the call that the line answers from those in flight.
fn answered(line: &[u8], pending: &mut HashMap<u64, ()>) {
    let reply: Reply = serde_json::from_slice(line).expect("a reply");
    assert!(pending.remove(&reply.id).is_some(), "no call has the id {}", reply.id);
    assert!(is_right(reply.id, &reply.result.content[0].text), "wrong reply to {}", reply.id);
}

fn run(one: u64, flight: u64, server: &[String]) -> io::Result<[Duration; 2]> {
    let mut child: Child =
        Command::new(&server[0]).args(&server[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (mut input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let (mut output, mut line, mut pending) = (BufReader::new(output), Vec::new(), HashMap::new());
    writeln!(input, "{INITIALIZE}")?;
    output.read_until(b'\n', &mut line)?;
    writeln!(input, "{INITIALIZED}")?;
    let mut call = |ids: std::ops::Range<u64>, window: usize| -> io::Result<Duration> {
        let (start, mut ids) = (Instant::now(), ids);
        loop {
            line.clear();
            while pending.len() < window
                && let Some(id) = ids.next()
            {
                request(id, &mut line);
                pending.insert(id, ());
            }
            input.write_all(&line)?;
            if pending.is_empty() {
                return Ok(start.elapsed());
            }
            line.clear();
            output.read_until(b'\n', &mut line)?;
            answered(&line, &mut pending);
        }
    };
    call(0..WARM_UP, 1)?;
    let times = [call(0..one, 1)?, call(0..flight, FLIGHT as usize)?];
    drop(input);
    child.wait()?;
    Ok(times)
}

async fn run_async(one: u64, flight: u64, server: &[String]) -> io::Result<[Duration; 2]> {
    let mut command = tokio::process::Command::new(&server[0]);
    let mut child = command.args(&server[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (mut input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let (mut output, mut line, mut pending) = (tokio::io::BufReader::new(output), Vec::new(), HashMap::new());
    input.write_all(format!("{INITIALIZE}\n").as_bytes()).await?;
    output.read_until(b'\n', &mut line).await?;
    input.write_all(format!("{INITIALIZED}\n").as_bytes()).await?;
    let mut times = [Duration::ZERO; 3];
    for (time, (calls, window)) in times.iter_mut().zip([(WARM_UP, 1), (one, 1), (flight, FLIGHT as usize)]) {
        let (start, mut ids) = (Instant::now(), 0..calls);
        loop {
            line.clear();
            while pending.len() < window
                && let Some(id) = ids.next()
            {
                request(id, &mut line);
                pending.insert(id, ());
            }
            if !line.is_empty() {
                input.write_all(&line).await?;
            }
            if pending.is_empty() {
                break;
            }
            line.clear();
            output.read_until(b'\n', &mut line).await?;
            answered(&line, &mut pending);
        }
        *time = start.elapsed();
    }
    drop(input);
    child.wait().await?;
    Ok([times[1], times[2]])
}

include!("../../peers/client.rs");
