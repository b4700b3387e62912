//! How servers end.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::client::{Client, LONG, server, start_unread};

const WAYS: [&[&str]; 2] = [&[], &["--serve"]];

/// The promise is two seconds in all; the rest is for a machine with other things to do.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn at_the_end_of_input_the_last_line_needs_no_newline() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.raw(
            br#"{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"echo","arguments":{"text":"words"}}}"#,
        );
        client.close_input();
        assert_eq!(client.text("last"), "words");
        let (status, _) = client.end();
        assert_eq!(status.code(), Some(0));
    }
}

#[test]
fn at_the_end_of_input_what_finishes_soon_is_answered_and_the_rest_is_cancelled() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.call("slow", "slow", &json!({"ms": 100}));
        client.call("block", "block", &json!({"ms": 100}));
        client.call("too slow", "slow", &json!({"ms": 600_000}));
        client.call("stuck", "block", &json!({"ms": 600_000}));
        if way.is_empty() {
            // Under `serve` this would be a fault of the program: it blocks the caller's runtime.
            client.call("frozen", "freeze", &json!({"ms": 600_000}));
        }
        client.close_input();
        let (status, took) = client.end();
        assert_eq!(status.code(), Some(0));
        assert!(took < SOON, "{took:?}");
        client.silence();
        for (id, answered) in [("slow", true), ("block", true), ("too slow", false), ("stuck", false), ("frozen", false)] {
            assert_eq!(client.has_reply(id), answered, "{id} {way:?}");
        }
    }
}

#[test]
fn signals_end_it_whatever_tools_are_stuck_in() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = Client::start(&[]);
        client.call("slow", "slow", &json!({"ms": 600_000}));
        for n in 0..20 {
            client.call(&n.to_string(), if n % 2 == 0 { "block" } else { "freeze" }, &json!({"ms": 600_000}));
        }
        client.ping();
        client.signal(signal);
        let (status, took) = client.end();
        assert_eq!((status.code(), status.signal()), (Some(code), None));
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = Client::start(&["--patient"]);
        client.call("stuck", "block", &json!({"ms": 3_600_000}));
        client.call("quick", "slow", &json!({"ms": 500}));
        client.ping();
        client.signal(signal);
        // It would wait for an hour, and answers what it waits for.
        client.text("quick");
        client.signal(signal);
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
    client.signal("TERM");
    let (status, took) = client.end();
    assert_eq!(status.code(), Some(143));
    assert!(took < SOON, "{took:?}");
}

#[test]
fn a_server_that_was_only_greeted_ends_at_once_on_a_signal() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut client = Client::start(&[]);
        client.signal(signal);
        let (status, took) = client.end();
        assert_eq!((status.code(), status.signal()), (Some(code), None));
        assert!(took < SOON, "{took:?}");
    }
}

/// Before the first call, one thread does everything: it must not be the one that waits for such a client.
#[test]
fn a_signal_ends_a_server_whose_client_asks_without_reading() {
    let (mut child, mut input, output) = start_unread();
    // More than the pipe to the client holds, so some of it is written when all of this is read.
    let pings = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(8_000);
    input.write_all(&pings).unwrap();
    let kill = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let start = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < LONG, "it waits for somebody who does not read");
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(143));
    drop((input, output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_has_three_threads_until_the_first_call() {
    let mut client = Client::start(&[]);
    client.ping();
    client.request("list", "tools/list", &json!({}));
    client.reply("list");
    // The supervisor, the leader, and the thread that waits for signals.
    assert_eq!(client.threads(), 3);
    client.call("1", "echo", &json!({"text": "x"}));
    assert_eq!(client.text("1"), "x");
    assert!(client.threads() > 3);
}

#[test]
fn a_client_that_no_longer_reads_ends_it() {
    let (mut child, mut input, output) = start_unread();
    drop(output);
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    let start = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < LONG, "it lives on with nobody to talk to");
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(0));
    drop(input);
}

#[test]
fn a_server_that_may_outlive_its_parent_stays_until_its_input_ends() {
    let mut command = Command::new("sh");
    command.args(["-c", r#"exec 3<&0; "$0" "$@" <&3 & wait"#]).arg(server()).arg("--outlive");
    let mut client = Client::spawn(&mut command);
    client.handshake();
    client.kill();
    // Longer than it takes to notice that the parent is gone.
    client.call("later", "slow", &json!({"ms": 5000}));
    assert_eq!(client.text("later"), "slept");
    client.close_input();
    client.silence();
}

#[test]
fn an_input_that_cannot_be_read_is_a_failure_and_stderr_says_so() {
    // A folder can be opened, but not read from.
    let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap();
    let output = Command::new(server()).stdin(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("read") && said.contains("directory"), "{said}");
}

#[test]
fn a_server_whose_parent_is_gone_does_not_stay() {
    for way in [&[][..], &["--serve"]] {
        // The shell is the parent; this test holds the other end of the server's input open all the time.
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec 3<&0; "$0" "$@" <&3 & wait"#]).arg(server()).args(way);
        let mut client = Client::spawn(&mut command);
        client.handshake();
        client.kill();
        client.silence();
    }
}
