//! A server that a console event asks to end. `shutdown.rs` has more tests, with signals.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::windows::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use crate::server::{Connection, LONG_GRACE, TestServer, example, stateless_call};

/// The flag of a process that gets a console without a window.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// The example `console` of mcp-os-windows, in whose console the server runs.
struct Console {
    server: TestServer,
    /// Each letter that is appended to the file is sent as an event.
    file: PathBuf,
}

impl Console {
    /// Starts the server with a grace period in seconds.
    fn start(name: &str, grace: &str) -> Console {
        let file = std::env::temp_dir().join(format!("mcp-http-console-{name}-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        let mut command = Command::new(example("console"));
        command.arg(&file).arg(example("test_server")).arg(grace).creation_flags(CREATE_NO_WINDOW);
        Console { server: TestServer::spawn(&mut command), file }
    }

    fn send(&self, event: &str) {
        OpenOptions::new().append(true).open(&self.file).unwrap().write_all(event.as_bytes()).unwrap();
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// 20 calls run when the event arrives; all of them are answered, and then the process ends.
#[test]
fn ctrl_c_ctrl_break_close_logoff_and_shutdown_let_the_server_answer_all_running_calls() {
    for event in ["c", "b", "x", "l", "s"] {
        let mut console = Console::start(event, LONG_GRACE);
        let address = console.server.address;
        let mut calls: Vec<Connection> = (0..20).map(|_| Connection::open(address)).collect();
        calls.iter_mut().for_each(|connection| connection.send(&stateless_call("wait")));
        console.server.wait_for_calls(20);
        console.send(event);
        console.server.wait_until_refused();
        console.server.release_calls();
        let answered = calls.into_iter().map(Connection::rest).filter(|answer| answer.contains("released")).count();
        assert_eq!(answered, 20, "{event}");
        assert_eq!(console.server.wait_for_exit().code(), Some(0), "{event}");
    }
}

#[test]
fn calls_that_take_longer_than_the_grace_period_are_cancelled() {
    let mut console = Console::start("grace", "0");
    let mut connection = Connection::open(console.server.address);
    connection.send(&stateless_call("wait"));
    console.server.wait_for_calls(1);
    console.send("c");
    assert_eq!(console.server.wait_for_exit().code(), Some(0));
    assert_eq!(connection.rest(), "");
}

#[test]
fn a_second_event_ends_the_process_at_once() {
    for event in ["c", "b"] {
        let mut console = Console::start(&format!("second-{event}"), LONG_GRACE);
        let mut connection = Connection::open(console.server.address);
        connection.send(&stateless_call("wait"));
        console.server.wait_for_calls(1);
        console.send("c");
        console.server.wait_until_refused();
        console.send(event);
        assert_eq!(console.server.wait_for_exit().code(), Some(130), "{event}");
    }
}

#[test]
fn a_second_event_ends_a_server_that_a_tool_blocks() {
    let mut console = Console::start("blocked", LONG_GRACE);
    let mut connection = Connection::open(console.server.address);
    connection.send(&stateless_call("block"));
    console.server.wait_for_calls(1);
    console.send("cb");
    assert_eq!(console.server.wait_for_exit().code(), Some(130));
}
