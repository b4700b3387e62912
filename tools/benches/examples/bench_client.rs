//! The client of this project: `client ONE_AT_A_TIME IN_FLIGHT SERVER..`.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mcp_client::Client;
use serde_json::json;

include!("../peers/client.rs");

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (one, flight, server) = asked(std::env::args().skip(1));
    let mut command = Command::new(&server[0]);
    command.args(&server[1..]);
    let client = Client::spawn(command).await.expect("the server starts");
    many(&client, WARM_UP, 1).await;
    let times = [many(&client, one, 1).await, many(&client, flight, FLIGHT).await];
    client.close().await;
    print(times, [one, flight]);
}

/// Makes the calls in this many tasks.
async fn many(client: &Client, calls: u64, tasks: u64) -> Duration {
    let (start, next) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let task = || {
        let (client, next) = (client.clone(), next.clone());
        async move {
            loop {
                let id = next.fetch_add(1, Ordering::Relaxed);
                if id >= calls {
                    return;
                }
                let (a, b) = operands(id);
                let result = client.call("add", json!({"a": a, "b": b})).await.expect("the call succeeds");
                assert!(is_right(id, &result.to_text()), "wrong reply to {id}: {result:?}");
            }
        }
    };
    if tasks == 1 {
        task().await;
    } else {
        let tasks: Vec<_> = (0..tasks).map(|_| tokio::spawn(task())).collect();
        for task in tasks {
            task.await.expect("no panic");
        }
    }
    start.elapsed()
}
