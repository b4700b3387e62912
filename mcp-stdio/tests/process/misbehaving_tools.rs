//! Tools that misbehave.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::client::{Client, LONG, start_unread};

/// Both ways to serve standard input and output.
const WAYS: [&[&str]; 2] = [&[], &["--serve"]];

#[test]
fn output_of_tools_and_children_goes_to_stderr_and_children_read_nothing() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.call("1", "pollute", &json!({}));
        assert_eq!(client.text("1"), "0", "a child that reads standard input gets the end of input at once");
        client.error_line("printed by a tool");
        client.error_line("printed by a child");
        client.ping();
        client.close_input();
        client.silence();
        client.error_line("unfinished");
    }
}

#[test]
fn every_panic_is_answered_without_its_text() {
    for way in WAYS {
        let mut client = Client::start(way);
        for round in 0..10 {
            for tool in ["panic", "panic_async", "panic_early"] {
                let id = format!("{tool} {round}");
                client.call(&id, tool, &json!({}));
                let reply = client.reply(&id);
                assert_eq!(reply["result"]["isError"], true, "{reply}");
                assert!(!reply.to_string().contains("secret"), "{reply}");
            }
        }
        client.error_line("secret-in-panic");
        client.ping();
    }
}

#[test]
fn sixty_four_blocked_functions_delay_neither_pings_nor_calls() {
    for way in WAYS {
        let mut client = Client::start(way);
        for n in 0..64 {
            client.call(&format!("block {n}"), "block", &json!({"ms": 600_000}));
        }
        assert!(client.ping() < LONG);
        client.call("echo", "echo", &json!({"text": "free"}));
        assert_eq!(client.text("echo"), "free");
        client.call("slow", "slow", &json!({"ms": 1}));
        assert_eq!(client.text("slow"), "slept");
        client.call("last", "block", &json!({"ms": 1}));
        assert_eq!(client.text("last"), "blocked");
    }
}

#[test]
fn blocking_functions_run_concurrently_and_are_all_answered() {
    for way in WAYS {
        let mut client = Client::start(way);
        for n in 0..40 {
            client.call(&n.to_string(), "block", &json!({"ms": 100}));
        }
        for n in 0..40 {
            assert_eq!(client.text(&n.to_string()), "blocked");
        }
    }
}

#[test]
fn ten_async_functions_that_block_do_not_stop_the_reading() {
    let mut client = Client::start(&[]);
    // There are ten reader threads, and one of them leads. The runtime has at least two threads, so the tenth call leaves one free.
    for n in 0..10 {
        client.call(&format!("freeze {n}"), "freeze", &json!({"ms": 600_000}));
    }
    assert!(client.ping() < LONG);
    client.call("slow", "slow", &json!({"ms": 1}));
    assert_eq!(client.text("slow"), "slept");
}

#[test]
fn a_blocking_function_times_out() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.call("1", "block_shortly", &json!({"ms": 600_000}));
        assert!(client.text("1").contains("did not finish within 50ms"));
        client.call("2", "block_shortly", &json!({"ms": 0}));
        assert_eq!(client.text("2"), "blocked");
    }
}

#[test]
fn a_blocking_function_sees_its_cancellation_and_is_not_answered() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.call("1", "block_until_cancelled", &json!({}));
        client.error_line("waits for the cancel");
        client.cancel("1");
        client.error_line("saw the cancel");
        client.ping();
        client.close_input();
        client.silence();
        assert!(!client.has_reply("1"));
    }
}

#[test]
fn a_blocking_function_sends_progress_while_it_runs() {
    for way in WAYS {
        let mut client = Client::start(way);
        let params = json!({"name": "report", "arguments": {"ms": 600_000}, "_meta": {"progressToken": "p"}});
        client.request("1", "tools/call", &params);
        for n in 1..=2 {
            assert_eq!(client.notification("notifications/progress")["progress"].as_f64(), Some(f64::from(n)));
        }
        client.ping();
    }
}

#[test]
fn a_process_serves_standard_input_only_once() {
    for way in WAYS {
        let mut client = Client::start(way);
        client.call("1", "serve_again", &json!({}));
        assert_eq!(client.text("1"), "true");
        client.error_line("already serves");
        client.ping();
    }
}

#[test]
fn a_batch_of_blocking_calls_has_one_reply() {
    let (mut child, mut input, output) = start_unread();
    let mut lines = BufReader::new(output).lines();
    let mut exchange = |message: Value| -> Value {
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    let card = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": card});
    exchange(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
    let calls = [("block", 20), ("block_shortly", 600_000), ("freeze", 20), ("slow", 1), ("block", 20)];
    let batch: Vec<Value> = (1..)
        .zip(calls)
        .map(|(id, (tool, ms))| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {"ms": ms}}})
        })
        .collect();
    let reply = exchange(json!(batch));
    let texts: Vec<&str> =
        reply.as_array().unwrap().iter().map(|reply| reply["result"]["content"][0]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["blocked", "`block_shortly` did not finish within 50ms", "frozen", "slept", "blocked"]);
    drop(input);
    assert!(child.wait().unwrap().success());
}
