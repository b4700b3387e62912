//! The least that a server needs around it to answer calls.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::{BoxFuture, Builder, Host, Job, Message, Reply, Revision, Server};
use serde_json::{Value, json};

/// Runs blocking functions where it stands, and never lets time pass.
struct HereAndNow;

impl Host for HereAndNow {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn run_blocking(&self, job: Job) {
        job();
    }
}

/// Calls a tool and returns its `tools/call` result.
pub fn call(server: Builder, tool: &str, arguments: Value) -> Value {
    call_built(&server.build().expect("a server without faults"), tool, arguments)
}

/// Calls a tool of a server that is built.
pub fn call_built(server: &Server, tool: &str, arguments: Value) -> Value {
    let session = server.session(Arc::new(HereAndNow), Arc::new(())).negotiated(Revision::NEWEST_HANDSHAKE);
    let params = json!({"name": tool, "arguments": arguments});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let response = match session.receive(Message::parse(request.as_bytes())) {
        Reply::Now(response) => response,
        Reply::Later(later) => finish(later).expect("nobody cancelled"),
        Reply::None => panic!("a request is answered"),
    };
    let reply: Value = serde_json::from_str(&response.to_json()).expect("replies are JSON");
    reply.get("result").cloned().unwrap_or(reply)
}

/// All text of a result, and whether it is an error.
pub fn text(result: &Value) -> (String, bool) {
    let content = result["content"].as_array().map_or(&[][..], Vec::as_slice);
    let text = content.iter().filter_map(|content| content["text"].as_str()).collect();
    (text, result["isError"] == true)
}

/// The tool as `tools/list` shows it.
pub fn describe(server: Builder, tool: &str) -> Value {
    let list = server.build().expect("a server without faults").tools_list_result(Revision::NEWEST_HANDSHAKE);
    let tools = list["tools"].as_array().expect("a list").clone();
    tools.into_iter().find(|described| described["name"] == tool).expect("the tool is listed")
}

/// Runs a future that needs no runtime.
pub fn finish<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    for _ in 0..1000 {
        if let Poll::Ready(value) = future.as_mut().poll(&mut task) {
            return value;
        }
    }
    panic!("the future waits for something that no test has")
}
