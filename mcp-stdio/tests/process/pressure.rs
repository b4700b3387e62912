//! Clients that write faster than they read.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::start_unread;

fn initialize() -> String {
    let client = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

fn call(id: usize, tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
}

/// Writes everything before it reads anything, and finds every reply whole and once.
fn write_all_then_read(requests: &[String], size: usize) {
    let (mut child, mut input, output) = start_unread();
    input.write_all(initialize().as_bytes()).unwrap();
    for request in requests {
        input.write_all(request.as_bytes()).unwrap();
    }
    drop(input);
    let mut seen = HashSet::new();
    for line in BufReader::new(output).lines() {
        let reply: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let id = reply["id"].as_u64().unwrap();
        assert!(seen.insert(id), "{id} is answered twice");
        if id > 0 {
            assert_eq!(reply["result"]["content"][0]["text"].as_str().map(str::len), Some(size));
        }
    }
    assert_eq!(seen.len(), requests.len() + 1);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_client_that_writes_everything_before_it_reads_gets_every_reply() {
    let requests: Vec<String> = (1..=50_000).map(|id| call(id, "echo", &json!({"text": "1234567890"}))).collect();
    write_all_then_read(&requests, 10);
    let requests: Vec<String> = (1..=24).map(|id| call(id, "flood", &json!({"bytes": 1 << 20}))).collect();
    write_all_then_read(&requests, 1 << 20);
}

#[test]
fn a_client_far_over_the_budget_is_pushed_back_and_loses_nothing() {
    let (mut child, mut input, output) = start_unread();
    let calls = 100;
    let writer = thread::spawn(move || {
        input.write_all(initialize().as_bytes()).unwrap();
        for id in 1..=calls {
            // Blanks before it make a request so long that the pipe holds few of them.
            let request = call(id, "flood", &json!({"bytes": 1 << 20}));
            input.write_all(format!("{}{request}", " ".repeat(8192)).as_bytes()).unwrap();
        }
        input
    });
    // Long enough for a server that takes everything to do so; one that is slow only makes this easier.
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        assert!(!writer.is_finished(), "everything was taken from a client that reads nothing");
        thread::sleep(Duration::from_millis(50));
    }
    let mut lines = BufReader::new(output).lines();
    let mut seen = HashSet::new();
    while seen.len() <= calls {
        let reply: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert!(seen.insert(reply["id"].as_u64().unwrap()));
    }
    drop(writer.join().unwrap());
    assert!(child.wait().unwrap().success());
}
