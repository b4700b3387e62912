//! How servers shut down.

use std::io::Write;
use std::time::Duration;

use serde_json::json;

use crate::client::{Client, LONG, start_unread};

const WAYS: [&[&str]; 2] = [&[], &["--serve"]];

/// Documented are two seconds. The rest is for a loaded machine.
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
fn at_the_end_of_input_calls_that_finish_in_time_are_answered_and_others_cancelled() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.call("slow", "slow", &json!({"ms": 100}));
        client.call("block", "block", &json!({"ms": 100}));
        client.call("too slow", "slow", &json!({"ms": 600_000}));
        client.call("stuck", "block", &json!({"ms": 600_000}));
        if way.is_empty() {
            // Under `serve` this would be a bug of the program: it blocks the caller's runtime.
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

// Not on Windows: the number of threads is read from /proc.
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
fn a_server_ends_when_its_client_closes_the_output() {
    let (mut child, mut input, output) = start_unread();
    drop(output);
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").unwrap();
    let start = std::time::Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < LONG, "the server does not end without a client");
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(0));
    drop(input);
}
