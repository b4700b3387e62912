//! Calls the tool `add` in this process, without a pipe: `inproc CASE CALLS`.
//!
//! - `session`: through [`Session::receive`], the text of the reply appended to a buffer.
//! - `mount`: through a server that is mounted in an agent session. The other end of the session's transport is this
//!   program, so a call takes the same path as one of the CLI, without the CLI and its pipes.
//! - `client`: through a client in the same process, `mcp_client::Client::of`.
//! - `nothing`: only the loop around the calls.
//!
//! Prints the nanoseconds that all calls took.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_agent::Agent;
use mcp_agent_test::ManualCli;
use mcp_client::Client;
use mcp_core::protocol::Revision;
use mcp_core::transport::{BoxFuture, Host, Job, Message, Reply, Session};
use mcp_core::{Builder, Server, tool, tools};
use serde_json::{Value, json};

include!("../peers/lines.rs");

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn server() -> Builder {
    Server::builder("bench", "0").tools(tools![add])
}

#[allow(clippy::print_stdout, reason = "the output of this program is the time")]
fn main() {
    let (case, calls) = asked();
    let time = match case.as_str() {
        "session" => session(calls),
        "mount" => mount(calls),
        "client" => client(calls),
        "nothing" => {
            let start = Instant::now();
            nothing(calls);
            start.elapsed()
        }
        other => panic!("unknown case {other}"),
    };
    println!("{}", time.as_nanos());
}

/// A host for a tool that needs neither threads nor timers.
struct NoThreads;

impl Host for NoThreads {
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

fn session(calls: u64) -> Duration {
    let server = server().build().expect("the server is valid");
    let session = server.session(Arc::new(NoThreads), Arc::new(())).negotiated(Revision::NEWEST_HANDSHAKE);
    let mut reply = Vec::new();
    let start = Instant::now();
    for id in 1..=calls {
        reply.clear();
        receive(&session, &request(id), &mut reply);
        check(id, &reply);
    }
    start.elapsed()
}

fn receive(session: &Session, request: &str, reply: &mut Vec<u8>) {
    match session.receive(Message::parse_text(request)) {
        Reply::None => panic!("a request has a reply"),
        Reply::Now(response) => response.encode(reply),
        Reply::Later(later) => match pin!(later).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(response) => response.expect("the call is not cancelled").encode(reply),
            Poll::Pending => panic!("`add` is ready at the first poll"),
        },
    }
}

/// One call at a time through `Agent::mount`. The time to open the session does not count.
fn mount(calls: u64) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let (transport, mut cli) = ManualCli::new();
        let opening = tokio::spawn(Agent::new().mount("bench", server()).transport(transport).open());
        let initialize: Value = serde_json::from_slice(&cli.next_line().await.expect("a frame")).expect("a frame is JSON");
        let response = json!({"subtype": "success", "request_id": initialize["request_id"]});
        cli.send_line(json!({"type": "control_response", "response": response}).to_string());
        let session = opening.await.expect("no panic").expect("the session opens");
        // The handshake between the CLI and the mounted server.
        send(&cli, 0, INITIALIZE);
        cli.next_line().await.expect("the reply to initialize");
        let start = Instant::now();
        for id in 1..=calls {
            send(&cli, id, &request(id));
            check(id, &cli.next_line().await.expect("the reply to the call"));
        }
        let time = start.elapsed();
        drop(session);
        time
    })
}

/// One call at a time through a client in this process. The time to connect does not count.
fn client(calls: u64) -> Duration {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let client = Client::of(server()).await.expect("the server is valid");
        let start = Instant::now();
        for id in 1..=calls {
            let (a, b) = operands(id);
            let result = client.call("add", json!({"a": a, "b": b})).await.expect("the call succeeds");
            assert_eq!(result.to_text(), (a + b).to_string());
        }
        start.elapsed()
    })
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}"#;

fn send(cli: &ManualCli, id: u64, message: &str) {
    let request = format!(r#"{{"subtype":"mcp_message","server_name":"bench","message":{message}}}"#);
    cli.send_line(format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#));
}
