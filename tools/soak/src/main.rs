//! Loads the torture example with mixed requests for a given time, and checks responses, memory and descriptors.
//!
//! ```sh
//! cargo build --release --package torture --example torture
//! cargo build --release --package soak
//! target/release/soak 60 target/release/examples/torture
//! ```
//!
//! The first argument is the time in minutes, the rest is the server. Linux only: memory and descriptors are read from
//! `/proc`. The exit status is 1 if a response is missing or duplicate, or if memory or descriptors have grown.

mod health;
mod load;
mod server;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use health::Health;
use load::Load;
use server::Server;

/// The first measurement is made after this time, when all threads are started and buffers have grown.
const WARM_UP: Duration = Duration::from_secs(20);

/// How much the memory may grow.
const SLACK_KIB: u64 = 16 << 10;

#[allow(clippy::print_stdout, reason = "it prints measurements")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let minutes: Option<f64> = arguments.next().and_then(|minutes| minutes.parse().ok());
    let command: Vec<String> = arguments.collect();
    let (Some(minutes), [_, ..]) = (minutes, &command[..]) else {
        println!("usage: soak MINUTES SERVER [ARGUMENT..]");
        return ExitCode::from(2);
    };
    let mut server = Server::start(&command);
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
    ExitCode::from(u8::from(!level || !faults.is_empty()))
}
