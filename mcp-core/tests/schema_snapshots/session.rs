//! An in-memory session of a server with one tool.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::protocol::Revision;
use mcp_core::transport::{BoxFuture, Host, Job, Message, Reply, Session};
use mcp_core::{Server, Toolset};
use serde_json::Value;

/// Opens a session of a server with these tools.
pub(crate) fn open(tools: impl Toolset) -> Session {
    let server = Server::builder("schemas", "1.0.0").tools(tools).build().unwrap();
    server.session(Arc::new(Still), Arc::new(())).negotiated(Revision::V2025_11_25)
}

/// Calls the first tool. The error is the text of an error result.
pub(crate) fn call(session: &Session, arguments: &str) -> Result<(), String> {
    let tools = list(session);
    let name = &tools["result"]["tools"][0]["name"];
    let reply = send(session, "tools/call", &format!(r#"{{"name": {name}, "arguments": {arguments}}}"#));
    let result = &reply["result"];
    match result["isError"].as_bool() {
        Some(true) => Err(result["content"][0]["text"].as_str().unwrap().to_owned()),
        _ if result.is_object() => Ok(()),
        _ => Err(reply["error"]["message"].as_str().unwrap().to_owned()),
    }
}

/// Returns the response to `tools/list`.
pub(crate) fn list(session: &Session) -> Value {
    send(session, "tools/list", "{}")
}

fn send(session: &Session, method: &str, params: &str) -> Value {
    let line = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {params}}}"#);
    let response = match session.receive(Message::parse(line.as_bytes())) {
        Reply::Now(response) => response,
        Reply::Later(later) => match pin!(later).poll(&mut TaskContext::from_waker(Waker::noop())) {
            Poll::Ready(response) => response.unwrap(),
            Poll::Pending => panic!("the tool never waits"),
        },
        Reply::None => panic!("no reply"),
    };
    serde_json::from_str(&response.to_json()).unwrap()
}

/// A host that never waits and runs blocking jobs on the calling thread.
struct Still;

impl Host for Still {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn run_blocking(&self, job: Job) {
        job();
    }

    fn spawn(&self, _: BoxFuture<()>) {}
}
