//! Signals, parents and permissions of Unix.
//
// The tests of `windows.rs` that check the same, or the reason why there is none:
// - a_recording_can_be_read_by_its_owner_only: the file has the access list of its folder
// - a_signal_ends_a_server_whose_tools_are_blocked -> a_console_event_ends_a_server_whose_tools_are_blocked
// - a_second_signal_ends_a_server_at_once -> after_ctrl_c_or_ctrl_break_calls_that_finish_in_time_are_answered_and_a_second_event_ends_a_server_at_once
// - an_idle_server_ends_at_once_on_a_signal -> a_console_event_ends_an_idle_server_at_once
// - a_server_that_handled_only_the_handshake_ends_at_once_on_a_signal -> a_console_event_ends_a_server_that_handled_only_the_handshake
// - a_signal_ends_a_server_whose_client_does_not_read -> ctrl_c_ends_a_server_whose_client_does_not_read
// - a_server_that_may_outlive_its_parent_stays_until_its_input_ends -> a_server_that_may_outlive_its_parent_stays_until_its_input_ends
// - an_input_that_cannot_be_read_is_a_failure_and_stderr_says_so -> an_input_that_cannot_be_read_is_a_failure_and_stderr_says_so
// - a_server_ends_when_its_parent_has_exited -> a_server_ends_when_its_parent_has_exited

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::client::{Client, LONG, server, start_unread};

/// Documented are two seconds. The rest is for a loaded machine.
const SOON: Duration = Duration::from_secs(20);

fn send(client: &Client, signal: &str) {
    let status = Command::new("kill").args(["-s", signal, &client.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_recording_can_be_read_by_its_owner_only() {
    let file = std::env::temp_dir().join(format!("mcp-record-mode-{}", std::process::id()));
    let mut client = Client::spawn(Command::new(server()).env("MCP_RECORD", &file));
    client.handshake();
    client.close_input();
    client.end();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    fs::remove_file(file).unwrap();
}

#[test]
fn a_signal_ends_a_server_whose_tools_are_blocked() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = Client::start(&[]);
        client.call("slow", "slow", &json!({"ms": 600_000}));
        for n in 0..20 {
            client.call(&n.to_string(), if n % 2 == 0 { "block" } else { "freeze" }, &json!({"ms": 600_000}));
        }
        client.ping();
        send(&client, signal);
        let (status, took) = client.end();
        assert_eq!((status.code(), status.signal()), (Some(code), None));
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn a_second_signal_ends_a_server_at_once() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = Client::start(&["--patient"]);
        client.call("stuck", "block", &json!({"ms": 3_600_000}));
        client.call("quick", "slow", &json!({"ms": 500}));
        client.ping();
        send(&client, signal);
        // The grace is an hour, and calls that finish in it are answered.
        client.text("quick");
        send(&client, signal);
        let (status, took) = client.end();
        assert_eq!((status.code(), status.signal()), (Some(code), None));
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn an_idle_server_ends_at_once_on_a_signal() {
    let mut client = Client::start(&[]);
    client.call("1", "echo", &json!({"text": "x"}));
    client.reply("1");
    send(&client, "TERM");
    let (status, took) = client.end();
    assert_eq!(status.code(), Some(143));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn a_server_that_handled_only_the_handshake_ends_at_once_on_a_signal() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = Client::start(&[]);
        send(&client, signal);
        let (status, took) = client.end();
        assert_eq!((status.code(), status.signal()), (Some(code), None));
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn a_signal_ends_a_server_whose_client_does_not_read() {
    let (mut child, mut input, output) = start_unread();
    // The replies are more than the pipe to the client holds, so the server blocks in a write.
    let pings = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(8_000);
    input.write_all(&pings).unwrap();
    let kill = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let start = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < LONG, "the server waits for a client that does not read");
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(143));
    drop((input, output));
}

#[test]
fn a_server_that_may_outlive_its_parent_stays_until_its_input_ends() {
    let mut command = Command::new("sh");
    command.args(["-c", r#"exec 3<&0; "$0" "$@" <&3 & wait"#]).arg(server()).arg("--outlive");
    let mut client = Client::spawn(&mut command);
    client.handshake();
    client.kill();
    // Longer than the time between two checks of the parent.
    client.call("later", "slow", &json!({"ms": 5000}));
    assert_eq!(client.text("later"), "slept");
    client.close_input();
    client.silence();
}

#[test]
fn an_input_that_cannot_be_read_is_a_failure_and_stderr_says_so() {
    // A directory can be opened, but not read.
    let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let output = Command::new(server()).stdin(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("read") && said.contains("directory"), "{said}");
}

#[test]
fn a_server_ends_when_its_parent_has_exited() {
    for way in [&[][..], &["--serve"]] {
        // The shell is the parent. This test keeps the other end of the input of the server open.
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec 3<&0; "$0" "$@" <&3 & wait"#]).arg(server()).args(way);
        let mut client = Client::spawn(&mut command);
        client.handshake();
        client.kill();
        client.silence();
    }
}
