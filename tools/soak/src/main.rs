//! Loads the torture example with everything at once for as long as one likes, and says what is left of it.
//!
//! ```sh
//! cargo build --release --package torture --example torture
//! cargo build --release --package soak
//! target/release/soak 60 target/release/examples/torture
//! ```
//!
//! The first argument is the time in minutes, the rest is the server. Linux only: memory and descriptors are read from
//! `/proc`. Exit status 1 when a reply is missing or there twice, or when memory or descriptors are not level.

mod health;
mod load;
mod server;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use health::Health;
use load::Load;
use server::Server;

/// The first figures are taken when everything was used once: threads are started, buffers have grown.
const WARM_UP: Duration = Duration::from_secs(20);

/// How much more memory is still level.
const SLACK_KIB: u64 = 16 << 10;

#[allow(clippy::print_stdout, reason = "figures are what it is for")]
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
    let (mut first, mut told) = (None, start);
    while Instant::now() < end {
        load.step(&mut server);
        if first.is_none() && start.elapsed() > WARM_UP {
            server.settle();
            first = Some(Health::of(server.pid()));
            println!("{:>6} s  {}  {}", start.elapsed().as_secs(), Health::of(server.pid()), server.score());
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            println!("{:>6} s  {}  {}", start.elapsed().as_secs(), Health::of(server.pid()), server.score());
        }
    }
    server.settle();
    let last = Health::of(server.pid());
    println!("{:>6} s  {last}  {}", start.elapsed().as_secs(), server.score());
    let faults = server.end();
    faults.iter().for_each(|fault| println!("{fault}"));
    let level = first.is_none_or(|first| last.is_level_with(&first, SLACK_KIB));
    println!("memory and descriptors are {}", if level { "level" } else { "NOT level" });
    ExitCode::from(u8::from(!level || !faults.is_empty()))
}
