//! Limits on concurrent calls and on the bytes of their arguments.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::protocol::Revision;
use mcp_core::transport::{BoxFuture, Host, Job, Later, Message, Reply, Session};
use mcp_core::{Limits, Server, tool, tools};
use serde_json::{Value, json};

/// A host without a free thread: blocking jobs wait until the test runs them.
#[derive(Default)]
struct Busy(Mutex<Vec<Job>>);

impl Host for Busy {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn run_blocking(&self, job: Job) {
        self.0.lock().unwrap().push(job);
    }

    fn spawn(&self, _: BoxFuture<()>) {}
}

/// Block the thread.
#[tool]
fn block(text: String) -> usize {
    text.len()
}

/// Never finish.
#[tool]
async fn wait(text: String) {
    std::future::pending::<()>().await;
    drop(text);
}

struct Peer {
    session: Session,
    world: Arc<Busy>,
    calls: Vec<(usize, Later)>,
    next: usize,
}

impl Peer {
    fn new(in_flight: usize, in_flight_bytes: usize) -> Peer {
        let limits = Limits::default().in_flight(in_flight).in_flight_bytes(in_flight_bytes);
        let server = Server::builder("load", "1.0.0").tools(tools![block, wait]).limits(limits).build().unwrap();
        let world = Arc::new(Busy::default());
        let session = server.session(world.clone(), Arc::new(())).negotiated(Revision::V2025_11_25);
        Peer { session, world, calls: Vec::new(), next: 0 }
    }

    /// Starts a call and polls it once. Returns its id, or the error.
    fn call(&mut self, tool: &str, text: &str) -> Result<usize, Value> {
        self.next += 1;
        let params = json!({"name": tool, "arguments": {"text": text}});
        let line = json!({"jsonrpc": "2.0", "id": self.next, "method": "tools/call", "params": params}).to_string();
        match self.session.receive(Message::parse(line.as_bytes())) {
            Reply::Later(later) => self.calls.push((self.next, later)),
            Reply::Now(response) => return Err(serde_json::from_str(&response.to_json()).unwrap()),
            Reply::None => panic!("silence"),
        }
        self.poll();
        Ok(self.next)
    }

    fn cancel(&mut self, id: usize) {
        let line = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string();
        assert!(matches!(self.session.receive(Message::parse(line.as_bytes())), Reply::None));
        self.poll();
    }

    fn poll(&mut self) {
        self.calls
            .retain_mut(|(_, later)| matches!(Pin::new(later).poll(&mut Task::from_waker(Waker::noop())), Poll::Pending));
    }
}

#[test]
fn a_call_over_the_limit_on_calls_is_rejected_as_busy() {
    let mut peer = Peer::new(2, 1000);
    let first = peer.call("wait", "x").unwrap();
    peer.call("block", "x").unwrap();
    let refusal = peer.call("wait", "x").unwrap_err();
    assert_eq!(refusal["error"]["code"], -32000, "{refusal}");
    assert_eq!(refusal["id"], 3);
    peer.cancel(first);
    peer.call("wait", "x").unwrap();
}

#[test]
fn a_call_over_the_limit_on_bytes_is_rejected_as_busy_unless_it_is_the_only_one() {
    let mut peer = Peer::new(100, 1000);
    let big = "x".repeat(2000);
    let alone = peer.call("wait", &big).unwrap();
    let refusal = peer.call("wait", "x").unwrap_err();
    assert_eq!(refusal["error"]["code"], -32000, "{refusal}");
    peer.cancel(alone);
    for _ in 0..9 {
        peer.call("wait", &"x".repeat(90)).unwrap();
    }
    assert!(peer.call("wait", &"x".repeat(90)).is_err());
}

#[test]
fn a_call_that_is_rejected_for_its_id_does_not_count() {
    let mut peer = Peer::new(2, 1000);
    peer.call("wait", "x").unwrap();
    for _ in 0..3 {
        peer.next = 0;
        let refusal = peer.call("wait", "x").unwrap_err();
        assert_eq!(refusal["error"]["code"], -32600, "{refusal}");
    }
    peer.call("wait", "x").unwrap();
}

#[test]
fn a_cancelled_function_that_waits_for_a_thread_counts_until_it_is_dropped() {
    let mut peer = Peer::new(8, 1 << 20);
    for _ in 0..8 {
        let id = peer.call("block", "x").unwrap();
        peer.cancel(id);
    }
    assert_eq!(peer.session.in_flight(), 0);
    assert_eq!(peer.call("block", "x").unwrap_err()["error"]["code"], -32000);
    let jobs = std::mem::take(&mut *peer.world.0.lock().unwrap());
    assert_eq!(jobs.len(), 8);
    jobs.into_iter().for_each(|job| job());
    peer.call("block", "x").unwrap();
}
