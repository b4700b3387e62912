//! `add` through a [`Session`] in this process, as a mount of `mcp-agent` does it: `inproc CASE CALLS`.
//!
//! - `session`: text in, the text of the reply appended to a line.
//! - `mount`: the same as `mcp_message` has it, with the reply in a box until it is there.
//! - `nothing`: what the loop around them costs.
//!
//! Prints the nanoseconds that all calls took.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use mcp_core::protocol::Revision;
use mcp_core::transport::{BoxFuture, Host, Job, Message, Reply, Session};
use mcp_core::{Server, tool, tools};

include!("../peers/lines.rs");

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

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

    fn spawn(&self, _: BoxFuture<()>) {
        // There are no tasks here.
    }
}

#[allow(clippy::print_stdout, reason = "the figure is what it is for")]
fn main() {
    let (case, calls) = asked();
    let server = Server::new("bench", "0").tools(tools![add]).build().expect("the server is built right");
    let session = server.session(Arc::new(NoThreads), Arc::new(())).negotiated(Revision::NEWEST_HANDSHAKE);
    let start = Instant::now();
    match case.as_str() {
        "session" => each(calls, |request, line| text(&session, request, line)),
        "mount" => each(calls, |request, line| mount(&session, request, line)),
        "nothing" => nothing(calls),
        other => panic!("no case {other}"),
    }
    println!("{}", start.elapsed().as_nanos());
}

/// Makes the calls. The replies are written over each other, as lines are written from one buffer.
fn each(calls: u64, answer: impl Fn(&str, &mut Vec<u8>)) {
    let mut line = Vec::new();
    for id in 1..=calls {
        line.clear();
        answer(&request(id), &mut line);
        check(id, &line);
    }
}

#[inline(never)]
fn text(session: &Session, request: &str, line: &mut Vec<u8>) {
    match session.receive(Message::parse_text(request)) {
        Reply::None => panic!("no reply"),
        Reply::Now(response) => response.encode(line),
        Reply::Later(later) => once(pin!(later)).expect("nobody cancelled the call").encode(line),
    }
}

/// The same steps as `mcp-agent/src/mount/server.rs`, which cannot be reached from outside.
#[inline(never)]
fn mount(session: &Session, request: &str, line: &mut Vec<u8>) {
    match session.receive(Message::parse_text(request)) {
        Reply::None => panic!("no reply"),
        Reply::Now(response) => response.encode(line),
        Reply::Later(later) => {
            let mut reply: BoxFuture<_> = Box::pin(later);
            once(reply.as_mut()).expect("nobody cancelled the call").encode(line);
        }
    }
}

/// What is ready at the first poll.
fn once<F: Future + ?Sized>(future: Pin<&mut F>) -> F::Output {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("`add` waits for nothing"),
    }
}
