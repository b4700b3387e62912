//! Clients that write faster than they read.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, start_unread};

fn initialize() -> String {
    let client = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
}

fn call(id: usize, tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
}

/// Writes all requests before it reads. Checks that every reply comes once and complete.
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

/// At the end of input the server has far more replies than the pipe holds.
#[test]
fn a_client_that_reads_slowly_at_the_end_gets_every_reply() {
    let (mut child, mut input, mut output) = start_unread();
    input.write_all(initialize().as_bytes()).unwrap();
    for id in 1..=8 {
        input.write_all(call(id, "flood", &json!({"bytes": 1 << 20})).as_bytes()).unwrap();
    }
    drop(input);
    // About three seconds in total: longer than the grace and the write timeout, but each pause is shorter.
    let (mut all, mut piece) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        let length = output.read(&mut piece).unwrap();
        if length == 0 {
            break;
        }
        all.extend_from_slice(&piece[..length]);
        thread::sleep(Duration::from_micros(length as u64 * 3 / 8));
    }
    let replies: Vec<Value> =
        all.trim_ascii_end().split(|byte| *byte == b'\n').map(|reply| serde_json::from_slice(reply).unwrap()).collect();
    assert_eq!(replies.len(), 9);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_client_over_the_output_limit_is_not_read_and_loses_no_reply() {
    let (mut child, mut input, output) = start_unread();
    let calls = 100;
    let writer = thread::spawn(move || {
        input.write_all(initialize().as_bytes()).unwrap();
        for id in 1..=calls {
            // Spaces make the request long, so that the pipe holds few of them.
            let request = call(id, "flood", &json!({"bytes": 1 << 20}));
            input.write_all(format!("{}{request}", " ".repeat(8192)).as_bytes()).unwrap();
        }
        input
    });
    // Long enough for a server that reads everything. A slow server cannot make this test fail.
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        assert!(!writer.is_finished(), "the server has read everything from a client that does not read");
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

/// A leak of a hundred bytes for each call makes it fail.
// Not on Windows: memory and descriptors are read from /proc.
#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_calls_leak_neither_memory_nor_descriptors() {
    for way in [&[][..], &["--serve"]] {
        let mut client = Client::start(way);
        let calls = |client: &mut Client, round: &str, count: usize| {
            for n in 0..count {
                let id = format!("{round} {n}");
                match n % 100 {
                    0 => client.call(&id, "panic", &json!({})),
                    1 => client.call(&id, "slow", &json!({"ms": 0})),
                    2 => client.call(&id, "block", &json!({"ms": 0})),
                    _ => client.call(&id, "echo", &json!({"text": "words"})),
                }
                client.reply(&id);
            }
        };
        // Starts threads and grows buffers.
        calls(&mut client, "first", 1000);
        let (memory, descriptors) = client.usage();
        calls(&mut client, "then", 10_000);
        let (memory_now, descriptors_now) = client.usage();
        assert!(memory_now < memory + 1024, "{memory} KiB became {memory_now} KiB");
        assert_eq!(descriptors_now, descriptors);
    }
}

/// The calls take about as long as a tick of the supervisor, so that leaders are replaced at many different moments.
#[test]
fn each_of_many_calls_is_answered_once_or_cancelled() {
    let mut client = Client::start(&[]);
    let mut state = 1u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut cancelled = HashSet::new();
    for id in 0..1500u64 {
        let (tool, arguments) = match random(5) {
            0 => ("echo", json!({"text": id.to_string()})),
            1 => ("slow", json!({"ms": random(6)})),
            2 => ("block", json!({"ms": random(6)})),
            3 => ("freeze", json!({"ms": random(6)})),
            _ => ("flood", json!({"bytes": random(100_000)})),
        };
        client.call(&id.to_string(), tool, &arguments);
        if random(20) == 0 {
            client.cancel(&id.to_string());
            cancelled.insert(id);
        }
    }
    for id in (0..1500u64).filter(|id| !cancelled.contains(id)) {
        let reply = client.reply(&id.to_string());
        assert!(reply["result"]["content"].is_array(), "{reply}");
    }
    client.close_input();
    client.silence();
    assert_eq!(client.end().0.code(), Some(0));
}
