//! A process that watches its parent. The test starts itself as the parent, which starts itself as the child.

#![cfg(windows)]

use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mcp_os_windows::ParentProcess;

const ROLE: &str = "MCP_TEST_ROLE";

/// Far more than any step takes.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_child_sees_that_its_parent_has_exited() {
    match std::env::var(ROLE).as_deref() {
        Ok("parent") => parent(),
        Ok(_) => child(),
        Err(_) => test(),
    }
}

/// Starts this test in another role.
fn start(role: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_child_sees_that_its_parent_has_exited", "--nocapture"]).env(ROLE, role);
    command
}

fn test() {
    let mut parent = start("parent").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(parent.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.ends_with("the parent runs")));
    drop(parent.stdin.take());
    assert!(lines.any(|line| line.ends_with("the parent has exited")));
    parent.wait().unwrap();
}

/// Starts the child, and exits at the end of input.
fn parent() {
    start("child").stdin(Stdio::null()).spawn().unwrap();
    io::copy(&mut io::stdin(), &mut io::sink()).unwrap();
    std::process::exit(0);
}

#[expect(clippy::print_stdout, reason = "the test reads this output")]
fn child() {
    let (parent, start) = (ParentProcess::open().unwrap(), Instant::now());
    assert!(!parent.has_exited());
    println!("\nthe parent runs");
    while !parent.has_exited() {
        assert!(start.elapsed() < LONG, "the parent does not exit");
        thread::sleep(Duration::from_millis(2));
    }
    println!("\nthe parent has exited");
    // Without the summary of the test harness, which nobody reads.
    std::process::exit(0);
}
