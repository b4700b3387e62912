//! Console events and parents of Windows. The first lines of `unix.rs` say which tests belong together.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::windows::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Client, LONG, example, server};

/// Documented are two seconds. The rest is for a loaded machine.
const SOON: Duration = Duration::from_secs(20);

/// The flag of a process that gets a console without a window.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// A console event.
#[derive(Debug)]
struct Event {
    /// The letter that makes the example `console` send it.
    letter: u8,
    /// The exit status of a server that gets it.
    status: i32,
}

const CTRL_C: Event = Event { letter: b'c', status: 130 };

const EVENTS: [Event; 5] = [
    CTRL_C,
    // Ctrl-Break
    Event { letter: b'b', status: 130 },
    // The console is closed.
    Event { letter: b'x', status: 143 },
    // The user logs off.
    Event { letter: b'l', status: 143 },
    // The system shuts down.
    Event { letter: b's', status: 143 },
];

/// A server in a console of its own, which the example `console` of mcp-os-windows provides: the tests may have no console.
struct Console(PathBuf);

impl Console {
    /// Returns the command that starts a server in a console.
    fn new(name: &str, event: &Event, arguments: &[&str]) -> (Console, Command) {
        let letter = char::from(event.letter);
        let file = std::env::temp_dir().join(format!("mcp-console-{name}-{letter}-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        let mut command = Command::new(example("console"));
        command.arg(&file).arg(server()).args(arguments).creation_flags(CREATE_NO_WINDOW);
        (Console(file), command)
    }

    fn send(&self, event: &Event) {
        OpenOptions::new().append(true).open(&self.0).unwrap().write_all(&[event.letter]).unwrap();
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn start(name: &str, event: &Event, arguments: &[&str]) -> (Console, Client) {
    let (console, mut command) = Console::new(name, event, arguments);
    let mut client = Client::spawn(&mut command);
    client.handshake();
    (console, client)
}

#[test]
fn a_console_event_ends_an_idle_server_at_once() {
    for event in EVENTS {
        let (console, mut client) = start("idle", &event, &[]);
        client.call("1", "echo", &json!({"text": "x"}));
        client.reply("1");
        console.send(&event);
        let (status, took) = client.end();
        assert_eq!(status.code(), Some(event.status), "{event:?}");
        assert!(took < SOON, "{event:?}: {took:?}");
    }
}

#[test]
fn a_console_event_ends_a_server_that_handled_only_the_handshake() {
    for event in EVENTS {
        let (console, mut client) = start("handshake", &event, &[]);
        console.send(&event);
        let (status, took) = client.end();
        assert_eq!(status.code(), Some(event.status), "{event:?}");
        assert!(took < SOON, "{event:?}: {took:?}");
    }
}

#[test]
fn an_input_that_cannot_be_read_is_a_failure_and_stderr_says_so() {
    let path = std::env::temp_dir().join(format!("mcp-input-{}", std::process::id()));
    // Opened for writing only.
    let output = Command::new(server()).stdin(fs::File::create(&path).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("read"), "{said}");
    fs::remove_file(path).unwrap();
}

#[test]
fn a_console_event_ends_a_server_whose_tools_are_blocked() {
    for event in EVENTS {
        let (console, mut client) = start("blocked", &event, &[]);
        client.call("slow", "slow", &json!({"ms": 600_000}));
        for n in 0..20 {
            client.call(&n.to_string(), if n % 2 == 0 { "block" } else { "freeze" }, &json!({"ms": 600_000}));
        }
        client.ping();
        console.send(&event);
        let (status, took) = client.end();
        assert_eq!(status.code(), Some(event.status), "{event:?}");
        assert!(took < SOON, "{event:?}: {took:?}");
    }
}

#[test]
fn after_a_close_logoff_or_shutdown_event_calls_that_finish_in_time_are_answered() {
    for event in &EVENTS[2..] {
        let (console, mut client) = start("last", event, &[]);
        client.call("quick", "slow", &json!({"ms": 500}));
        client.ping();
        console.send(event);
        assert_eq!(client.text("quick"), "slept", "{event:?}");
        assert_eq!(client.end().0.code(), Some(event.status), "{event:?}");
    }
}

/// After another event the system itself ends the process within seconds.
#[test]
fn after_ctrl_c_or_ctrl_break_calls_that_finish_in_time_are_answered_and_a_second_event_ends_a_server_at_once() {
    for event in EVENTS.into_iter().take(2) {
        let (console, mut client) = start("second", &event, &["--patient"]);
        client.call("stuck", "block", &json!({"ms": 3_600_000}));
        client.call("quick", "slow", &json!({"ms": 500}));
        client.ping();
        console.send(&event);
        // The grace is an hour, and calls that finish in it are answered.
        client.text("quick");
        console.send(&event);
        let (status, took) = client.end();
        assert_eq!(status.code(), Some(event.status), "{event:?}");
        assert!(took < SOON, "{event:?}: {took:?}");
    }
}

#[test]
fn ctrl_c_ends_a_server_whose_client_does_not_read() {
    let (console, mut command) = Console::new("unread", &CTRL_C, &[]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    // The replies are more than the pipe to the client holds, so the server blocks in a write.
    let pings = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(8_000);
    input.write_all(&pings).unwrap();
    console.send(&CTRL_C);
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < LONG, "the server waits for a client that does not read");
        thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(CTRL_C.status));
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
