//! A stdio transport for a simulated session: bytes in, bytes out, with the bugs that are planted in it.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use mcp_core::Server;
use mcp_core::transport::{Host, Message, Outbox, Outgoing, Reply, Response, Session};
use mcp_lines::{Line, Lines};

use super::judge::Judge;
use super::world::World;
use crate::bug::Bug;
use crate::random::Random;

/// The limit of one message in bytes.
const MAX_LINE: usize = 4096;

/// The server's end of a connection.
pub(super) struct Transport {
    session: Session,
    world: World,
    lines: Lines,
    pub(super) output: Output,
    bug: Option<Bug>,
}

/// The messages to the client. Clones are the same queue.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Queue>>);

struct Queue {
    bytes: VecDeque<u8>,
    judge: Judge,
    bug: Option<Bug>,
    is_open: bool,
    responses: usize,
    /// A response that was not sent yet, because of a planted bug.
    held: Option<Vec<u8>>,
    late: Vec<Vec<u8>>,
}

impl Transport {
    pub(super) fn new(server: &Server, world: &World, judge: Judge, bug: Option<Bug>) -> Transport {
        let (bytes, late) = (VecDeque::new(), Vec::new());
        let queue = Queue { bytes, judge, bug, is_open: true, responses: 0, held: None, late };
        let output = Output(Arc::new(Mutex::new(queue)));
        let session = server.session(Arc::new(world.clone()), Arc::new(output.clone()));
        Transport { session, world: world.clone(), lines: Lines::new(MAX_LINE), output, bug }
    }

    /// Receives a piece of the input.
    pub(super) fn receive(&mut self, mut piece: &[u8], random: &mut Random) {
        while let Some(line) = self.lines.next(&mut piece) {
            let (line, message) = match line {
                Line::Whole(line) => (line, Message::parse(line)),
                Line::TooLong { head, length } => (head, Message::oversized(head, length, MAX_LINE)),
            };
            self.output.lock().judge.delivered(line);
            let is_cancellation = matches!(&message, Message::Notification(n) if n.method == "notifications/cancelled");
            if is_cancellation && self.bug == Some(Bug::IgnoredCancellation) {
                continue;
            }
            match self.session.receive(message) {
                Reply::None => {}
                Reply::Now(response) => self.output.respond(&response),
                Reply::Later(mut later) => {
                    // As a transport does: most calls are ready at once. Sometimes all are left to the scheduler.
                    let early =
                        (!random.chance(4)).then(|| Pin::new(&mut later).poll(&mut Context::from_waker(Waker::noop())));
                    match early {
                        Some(Poll::Ready(response)) => response.iter().for_each(|response| self.output.respond(response)),
                        _ => {
                            let output = self.output.clone();
                            self.world.spawn(Box::pin(async move {
                                later.await.iter().for_each(|response| output.respond(response));
                            }));
                        }
                    }
                }
            }
        }
    }

    /// Ends the session, because the client has disconnected.
    pub(super) fn disconnect(&self) {
        let mut queue = self.output.lock();
        queue.is_open = false;
        queue.bytes.clear();
        queue.judge.disconnect();
        drop(queue);
        if self.bug != Some(Bug::CallsSurviveDisconnect) {
            self.session.cancel_all();
        }
    }

    /// Returns the number of requests that the session is working on.
    pub(super) fn in_flight(&self) -> usize {
        self.session.in_flight()
    }
}

impl Output {
    /// Returns up to `length` bytes for the client.
    pub(super) fn take(&self, length: usize) -> Vec<u8> {
        let mut queue = self.lock();
        let length = length.min(queue.bytes.len());
        queue.bytes.drain(..length).collect()
    }

    /// Returns the number of bytes that the client has not received yet.
    pub(super) fn waiting(&self) -> usize {
        self.lock().bytes.len()
    }

    /// Calls a function with the judge of the connection.
    pub(super) fn judge<T>(&self, ask: impl FnOnce(&mut Judge) -> T) -> T {
        ask(&mut self.lock().judge)
    }

    fn respond(&self, response: &Response) {
        let mut line = Vec::new();
        response.encode(&mut line);
        let mut queue = self.lock();
        if !queue.is_open {
            return;
        }
        queue.responses += 1;
        let is_due = queue.responses.is_multiple_of(5);
        match queue.bug {
            Some(Bug::LostResponse) if is_due => {}
            Some(Bug::DuplicateResponse) if is_due => {
                queue.push(&line);
                queue.push(&line);
            }
            Some(Bug::SwappedIds) => match queue.held.take() {
                None => queue.held = Some(line),
                Some(held) => {
                    let (first, second) = swap_ids(&held, &line);
                    queue.push(&first);
                    queue.push(&second);
                }
            },
            _ => queue.push(&line),
        }
        std::mem::take(&mut queue.late).iter().for_each(|line| queue.push(line));
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn push(&mut self, line: &[u8]) {
        self.judge.sent(line);
        self.bytes.extend(line);
        self.bytes.push_back(b'\n');
    }
}

impl Outbox for Output {
    fn send(&self, message: Outgoing) {
        let mut queue = self.lock();
        match queue.bug {
            _ if !queue.is_open => {}
            Some(Bug::LateProgress) => queue.late.push(message.into_bytes()),
            _ => queue.push(message.as_bytes()),
        }
    }
}

/// Exchanges the ids of two responses.
fn swap_ids(first: &[u8], second: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let parse = |line| serde_json::from_slice::<serde_json::Value>(line).unwrap_or_default();
    let (mut first, mut second) = (parse(first), parse(second));
    let (a, b) = (first["id"].take(), second["id"].take());
    (first["id"], second["id"]) = (b, a);
    (first.to_string().into_bytes(), second.to_string().into_bytes())
}
