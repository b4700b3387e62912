//! Loads a server, or sessions of an agent, for a long time, and checks responses, memory and descriptors.
//!
//! ```sh
//! cargo build --release --package torture --example torture
//! cargo build --release --package soak
//! target/release/soak server 60 target/release/examples/torture
//! target/release/soak sessions 1000
//! target/release/soak turns 500
//! ```
//!
//! - `server` sends mixed requests to a server for some minutes.
//! - `sessions` opens that many agent sessions at once, each with a process of a scripted CLI, in four rounds.
//! - `turns` runs that many turns in one agent session with the real Claude Code CLI and a model on this machine.
//!
//! Linux only: memory and descriptors are read from `/proc`. The exit status is 1 if a response is missing, duplicate or wrong, or if
//! memory or descriptors have grown.

mod health;
mod load;
mod mount;
mod server;
mod sessions;
mod turns;

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use health::Health;
use load::Load;
use server::Server;

/// The first measurement is made after this time, when all threads are started and buffers have grown.
const WARM_UP: Duration = Duration::from_secs(20);

/// How much the memory may grow.
const SLACK_KIB: u64 = 16 << 10;

const USAGE: &str = "usage: soak server MINUTES SERVER [ARGUMENT..] | soak sessions COUNT | soak turns COUNT";

/// Whether the check has passed.
type Outcome = Result<bool, Box<dyn Error + Send + Sync>>;

#[allow(clippy::print_stdout, reason = "it prints measurements")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["server", minutes, command @ ..] if !command.is_empty() => {
            minutes.parse().map_err(Into::into).map(|minutes| serve(minutes, command))
        }
        ["sessions", count] => count.parse().map_err(Into::into).and_then(|count| sessions::run(count, 0)),
        // Shows that a leak is found: that many sessions of each round stay open.
        ["sessions", count, "leak", leaked] => match (count.parse(), leaked.parse()) {
            (Ok(count), Ok(leaked)) => sessions::run(count, leaked),
            _ => Err(USAGE.into()),
        },
        ["turns", count] => count.parse().map_err(Into::into).and_then(turns::run),
        ["model"] => turns::model(),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(passed) => ExitCode::from(u8::from(!passed)),
        Err(error) => {
            println!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Loads a server. Returns whether all is well.
#[allow(clippy::print_stdout, reason = "it prints measurements")]
fn serve(minutes: f64, command: &[&str]) -> bool {
    let mut server = Server::start(command);
    let mut load = Load::new();
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(minutes * 60.0);
    let (mut first, mut printed) = (None, start);
    while Instant::now() < end {
        load.step(&mut server);
        if first.is_none() && start.elapsed() > WARM_UP {
            server.settle();
            first = Some(Health::of(server.pid()));
            println!("{:>6} s  {}  {}", start.elapsed().as_secs(), Health::of(server.pid()), server.score());
        }
        if printed.elapsed() > Duration::from_secs(60) {
            printed = Instant::now();
            println!("{:>6} s  {}  {}", start.elapsed().as_secs(), Health::of(server.pid()), server.score());
        }
    }
    server.settle();
    let last = Health::of(server.pid());
    println!("{:>6} s  {last}  {}", start.elapsed().as_secs(), server.score());
    let faults = server.end();
    faults.iter().for_each(|fault| println!("{fault}"));
    let level = first.is_none_or(|first| last.is_level_with(&first, SLACK_KIB));
    println!("memory and descriptors have {}", if level { "not grown" } else { "GROWN" });
    level && faults.is_empty()
}
