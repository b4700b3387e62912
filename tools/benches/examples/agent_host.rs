//! A program with an agent, for the benchmark: `agent_host CLI SESSIONS`.
//!
//! It opens the sessions at once, each with the server `bench` mounted, a hook and a permission callback. In each it sends a prompt
//! (`BENCH_PROMPT`) and reads all messages, as often as `BENCH_TURNS` says (once by default). Then it prints its own costs as JSON.
#![expect(clippy::print_stdout, reason = "the benchmark reads the result from standard output")]

use std::time::Instant;

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, Hook, HookOutput, Message};
use mcp_core::{Server, tool, tools};
use nix::sys::resource::{UsageWho, getrusage};

/// Add two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Say the same.
#[tool(read_only)]
async fn echo(text: String) -> String {
    text
}

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut words = std::env::args().skip(1);
    let (cli, sessions) = (words.next().ok_or("CLI")?, words.next().ok_or("SESSIONS")?.parse()?);
    let start = Instant::now();
    let running: Vec<_> = (0..sessions).map(|_| tokio::spawn(session(cli.clone()))).collect();
    let (mut events, mut seconds) = (0, 0.0);
    for session in running {
        let (count, took) = session.await??;
        events += count;
        seconds += took;
    }
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let cpu = usage.user_time() + usage.system_time();
    let cpu = cpu.tv_sec() * 1_000_000 + cpu.tv_usec();
    let (took, peak) = (start.elapsed().as_micros(), peak_kib()?);
    println!(r#"{{"cpu_us":{cpu},"peak_kib":{peak},"events":{events},"events_s":{seconds},"took_us":{took}}}"#);
    Ok(())
}

/// The peak of resident memory. `getrusage` would include the memory of the program that started this one.
fn peak_kib() -> Outcome<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM in /proc/self/status")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Runs one session, and returns the number of stream events and the seconds between the first and the last.
async fn session(cli: String) -> Outcome<(u64, f64)> {
    let server = Server::builder("bench", "0").tools(tools![add, echo]);
    let mut session = Agent::new()
        .program(cli)
        .mount("bench", server)
        .allow_tools(["mcp__bench__add", "mcp__bench__echo"])
        .hook(Hook::<PreToolUse>::new(), |_| async { HookOutput::pass() })
        .permission(|_| async { Decision::allow() })
        .partial_messages(true)
        .open()
        .await?;
    let prompt = std::env::var("BENCH_PROMPT")?;
    let turns = std::env::var("BENCH_TURNS").map_or(Ok(1), |turns| turns.parse())?;
    let (mut events, mut first, mut last) = (0, None, None);
    for _ in 0..turns {
        session.send(prompt.as_str()).await?;
        while let Some(message) = session.next().await? {
            if matches!(message, Message::Stream(_)) {
                events += 1;
                last = Some(Instant::now());
                first = first.or(last);
            }
        }
    }
    session.close().await?;
    let seconds = first.zip(last).map_or(0.0, |(first, last)| (last - first).as_secs_f64());
    Ok((events, seconds))
}
