//! The client of rmcp: `client ONE_AT_A_TIME IN_FLIGHT SERVER..`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rmcp::model::CallToolRequestParams;
use rmcp::service::{Peer, RoleClient};
use rmcp::transport::TokioChildProcess;
use rmcp::ServiceExt;
use serde_json::json;
use tokio::process::Command;

include!("../../../client.rs");

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (one, flight, server) = asked(std::env::args().skip(1));
    let mut command = Command::new(&server[0]);
    command.args(&server[1..]);
    let client = ().serve(TokioChildProcess::new(command).expect("the server starts")).await.expect("the handshake");
    many(client.peer(), WARM_UP, 1).await;
    let times = [many(client.peer(), one, 1).await, many(client.peer(), flight, FLIGHT).await];
    client.cancel().await.expect("it ends");
    print(times, [one, flight]);
}

/// Makes the calls in this many tasks.
async fn many(client: &Peer<RoleClient>, calls: u64, tasks: u64) -> Duration {
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
                let arguments = json!({"a": a, "b": b}).as_object().expect("it is an object").clone();
                let asked = CallToolRequestParams::new("add").with_arguments(arguments);
                let result = client.call_tool(asked).await.expect("the call succeeds");
                let text = result.content[0].as_text().expect("it is text");
                assert!(is_right(id, &text.text), "wrong reply to {id}: {result:?}");
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
