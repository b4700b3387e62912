//! The trait [`Converse`], which every transport under test implements, and its implementations in memory and over stdio.
//! `mount.rs` and `http.rs` have the others.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use mcp_core::Builder;
use mcp_core::transport::{Message, Outbox, Outgoing, Reply, Session};
use mcp_test::ThreadHost;
use tokio::runtime::Runtime;

use crate::built_examples::TEST_TIMEOUT;
use crate::stdio::ChildServer;

/// Sent after the lines of each step. Its response shows that the server has received all lines before it.
pub(crate) const LAST: &str = r#"{"jsonrpc":"2.0","id":"last of this step","method":"ping"}"#;
const LAST_ANSWER: &str = r#"{"jsonrpc":"2.0","id":"last of this step","result":{}}"#;

/// A connection to a server under test. Sends lines and returns the received lines, at least `answers` of them.
pub(crate) trait Converse {
    fn converse(&mut self, lines: &[String], answers: usize) -> Vec<String>;
}

/// Collects lines until there are enough of them and the response to [`LAST`] has arrived.
pub(crate) fn collect(answers: usize, mut next: impl FnMut() -> String) -> Vec<String> {
    let (mut received, mut seen_last) = (Vec::new(), false);
    while !seen_last || received.len() < answers {
        match next() {
            line if line == LAST_ANSWER => seen_last = true,
            line => received.push(line),
        }
    }
    received
}

impl Converse for ChildServer {
    fn converse(&mut self, lines: &[String], answers: usize) -> Vec<String> {
        lines.iter().for_each(|line| self.send(line));
        self.send(LAST);
        collect(answers, || self.receive())
    }
}

/// A session without a transport.
pub(crate) struct InMemory {
    session: Session,
    runtime: Runtime,
    sender: Sender<String>,
    receiver: Receiver<String>,
}

struct Channel(Sender<String>);

impl Outbox for Channel {
    fn send(&self, message: Outgoing) {
        let _ = self.0.send(String::from_utf8(message.into_bytes()).expect("a server writes UTF-8"));
    }
}

impl InMemory {
    pub(crate) fn new(server: Builder) -> InMemory {
        let (sender, receiver) = channel();
        let session =
            server.build().expect("the example is valid").session(Arc::new(ThreadHost), Arc::new(Channel(sender.clone())));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().expect("a runtime");
        InMemory { session, runtime, sender, receiver }
    }

    fn send(&self, line: &str) {
        match self.session.receive(Message::parse(line.as_bytes())) {
            Reply::None => {}
            Reply::Now(response) => self.sender.send(response.to_json()).expect("`self` owns the receiver"),
            Reply::Later(later) => {
                let sender = self.sender.clone();
                self.runtime.spawn(async move {
                    if let Some(response) = later.await {
                        let _ = sender.send(response.to_json());
                    }
                });
            }
        }
    }
}

impl Converse for InMemory {
    fn converse(&mut self, lines: &[String], answers: usize) -> Vec<String> {
        lines.iter().for_each(|line| self.send(line));
        self.send(LAST);
        collect(answers, || self.receiver.recv_timeout(TEST_TIMEOUT).expect("the session answers"))
    }
}
