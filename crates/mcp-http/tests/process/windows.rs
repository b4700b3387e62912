//! A server that a console event asks to end. `shutdown.rs` has more tests, with signals.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::windows::process::CommandExt;
use std::process::Command;

use crate::server::{Connection, LONG_GRACE, TestServer, example, stateless_call};

/// The flag of a process that gets a console without a window.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// 20 calls run when the event arrives; all of them are answered, and then the process ends.
#[test]
fn ctrl_c_ctrl_break_close_logoff_and_shutdown_let_the_server_answer_all_running_calls() {
    // The letters of the example `console` of mcp-os-windows.
    for event in ["c", "b", "x", "l", "s"] {
        let file = std::env::temp_dir().join(format!("mcp-http-console-{event}-{}", std::process::id()));
        fs::write(&file, "").unwrap();
        let mut command = Command::new(example("console"));
        command.arg(&file).arg(example("test_server")).arg(LONG_GRACE).creation_flags(CREATE_NO_WINDOW);
        let mut server = TestServer::spawn(&mut command);
        let mut calls: Vec<Connection> = (0..20).map(|_| Connection::open(server.address)).collect();
        calls.iter_mut().for_each(|connection| connection.send(&stateless_call("wait")));
        server.wait_for_calls(20);
        OpenOptions::new().append(true).open(&file).unwrap().write_all(event.as_bytes()).unwrap();
        server.wait_until_refused();
        server.release_calls();
        let answered = calls.into_iter().map(Connection::rest).filter(|answer| answer.contains("released")).count();
        assert_eq!(answered, 20, "{event}");
        assert_eq!(server.wait_for_exit().code(), Some(0), "{event}");
        fs::remove_file(file).unwrap();
    }
}
