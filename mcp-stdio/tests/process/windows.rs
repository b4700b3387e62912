//! Console events and parents of Windows. `unix.rs` has the same tests for Unix.
//!
//! Ctrl-C and the close of a console cannot be sent to one process, so Ctrl-Break stands for them: all go through one handler.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::windows::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, LONG, PREBUILT, example, server};

/// Documented are two seconds. The rest is for a loaded machine.
const SOON: Duration = Duration::from_secs(20);

/// The exit status after Ctrl-Break.
const INTERRUPTED: i32 = 130;

/// The flag of a process that gets a console without a window.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Sends Ctrl-Break to a server: through the example `console`, because the tests may have no console.
struct Console(PathBuf);

impl Console {
    /// Returns the command that starts a server in a console of its own.
    fn new(name: &str, arguments: &[&str]) -> (Console, Command) {
        let file = std::env::temp_dir().join(format!("mcp-console-{name}-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        let mut command = Command::new(example("console"));
        command.arg(&file).arg(server()).args(arguments).creation_flags(CREATE_NO_WINDOW);
        (Console(file), command)
    }

    fn ctrl_break(&self) {
        OpenOptions::new().append(true).open(&self.0).unwrap().write_all(b"!").unwrap();
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns whether the system gives consoles to programs. Reports the test as skipped if it does not.
fn has_consoles() -> bool {
    // `cargo xtask windows` sets it: Wine has no consoles without a screen.
    let under_wine = std::env::var_os(PREBUILT).is_some();
    if under_wine {
        test_env::skip("Wine sends no console events without a screen");
    }
    !under_wine
}

fn start(name: &str, arguments: &[&str]) -> (Console, Client) {
    let (console, mut command) = Console::new(name, arguments);
    let mut client = Client::spawn(&mut command);
    client.handshake();
    (console, client)
}

#[test]
fn ctrl_break_ends_an_idle_server_at_once() {
    if !has_consoles() {
        return;
    }
    let (console, mut client) = start("idle", &[]);
    client.call("1", "echo", &json!({"text": "x"}));
    client.reply("1");
    console.ctrl_break();
    let (status, took) = client.end();
    assert_eq!(status.code(), Some(INTERRUPTED));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn ctrl_break_ends_a_server_whose_tools_are_blocked() {
    if !has_consoles() {
        return;
    }
    let (console, mut client) = start("blocked", &[]);
    client.call("slow", "slow", &json!({"ms": 600_000}));
    for n in 0..20 {
        client.call(&n.to_string(), if n % 2 == 0 { "block" } else { "freeze" }, &json!({"ms": 600_000}));
    }
    client.call("quick", "slow", &json!({"ms": 300}));
    client.ping();
    console.ctrl_break();
    client.text("quick");
    let (status, took) = client.end();
    assert_eq!(status.code(), Some(INTERRUPTED));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn a_second_ctrl_break_ends_a_server_at_once() {
    if !has_consoles() {
        return;
    }
    let (console, mut client) = start("second", &["--patient"]);
    client.call("stuck", "block", &json!({"ms": 3_600_000}));
    client.call("quick", "slow", &json!({"ms": 500}));
    client.ping();
    console.ctrl_break();
    // The grace is an hour, and calls that finish in it are answered.
    client.text("quick");
    console.ctrl_break();
    let (status, took) = client.end();
    assert_eq!(status.code(), Some(INTERRUPTED));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn ctrl_break_ends_a_server_whose_client_does_not_read() {
    if !has_consoles() {
        return;
    }
    let (console, mut command) = Console::new("unread", &[]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    // The replies are more than the pipe to the client holds, so the server blocks in a write.
    let pings = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(8_000);
    input.write_all(&pings).unwrap();
    console.ctrl_break();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < LONG, "the server waits for a client that does not read");
        thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(INTERRUPTED));
    drop((input, output));
}

#[test]
fn a_server_ends_when_its_parent_has_exited() {
    for way in [&[][..], &["--serve"]] {
        // This test keeps the other end of the input of the server open.
        let mut client = Client::spawn(Command::new(server()).arg("--behind").args(way));
        client.handshake();
        client.kill();
        client.silence();
    }
}

#[test]
fn a_server_that_may_outlive_its_parent_stays_until_its_input_ends() {
    let mut client = Client::spawn(Command::new(server()).args(["--behind", "--outlive"]));
    client.handshake();
    client.kill();
    // Longer than the time between two checks of the parent.
    client.call("later", "slow", &json!({"ms": 5000}));
    assert_eq!(client.text("later"), "slept");
    client.close_input();
    client.silence();
}

/// A child that had the handles of the protocol would keep the output open after the end of the server.
#[test]
fn a_child_that_outlives_the_server_does_not_hold_its_output() {
    let mut client = Client::start(&[]);
    client.call("1", "leave_child", &json!({}));
    client.reply("1");
    client.close_input();
    let start = Instant::now();
    client.silence();
    assert!(start.elapsed() < SOON, "the child has the handle of the output");
}
