//! What is on its way to one client on one stream.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use mcp_core::transport::{Outbox, Outgoing};

/// With this much unread, what a client can do without is dropped: a tool that logs without end to a client that does not
/// read must not fill the memory.
const BUDGET: usize = 1 << 20;

/// With this much unread, a stream that carries answers ends: its client asks and does not read.
const MOST: usize = 8 << 20;

/// The messages of one stream, numbered from one: anybody adds, one reader takes.
///
/// What was read can be kept for a reader that comes back.
pub(crate) struct Channel {
    /// How many bytes that were read are kept.
    keep: usize,
    state: Mutex<State>,
}

struct State {
    log: VecDeque<Bytes>,
    /// The number of the oldest message in the log.
    oldest: u64,
    /// The number of the next message to be read.
    next: u64,
    kept: usize,
    unread: usize,
    finished: bool,
    /// Whether the reader is to leave, and come back.
    released: bool,
    /// Whether the last message is an answer.
    answered: bool,
    /// Which reader is the current one; those before it have lost the stream.
    reader: u64,
    waker: Option<Waker>,
}

/// Who reads a channel. A newer reader takes it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reader(u64);

/// What a reader gets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Message(u64, Bytes),
    End,
}

impl Channel {
    /// Keeps about that many bytes that were read.
    pub(crate) fn new(keep: usize) -> Channel {
        let (log, oldest, next, kept, unread) = (VecDeque::new(), 1, 1, 0, 0);
        let state = State {
            log,
            oldest,
            next,
            kept,
            unread,
            finished: false,
            released: false,
            answered: false,
            reader: 0,
            waker: None,
        };
        Channel { keep, state: Mutex::new(state) }
    }

    /// Adds the last message, if there is one. Nothing comes after it.
    pub(crate) fn finish(&self, last: Option<Bytes>) {
        let mut state = self.lock();
        if !state.finished {
            state.finished = true;
            state.answered = last.is_some();
            if let Some(last) = last {
                state.push(last);
            }
            state.wake();
        }
    }

    /// Adds an answer that is not the last message. A client that lets too many of them lie loses the stream.
    pub(crate) fn answer_with(&self, answer: Bytes) {
        let mut state = self.lock();
        if !state.finished {
            match state.unread > 0 && state.unread + answer.len() > MOST {
                true => state.finished = true,
                false => state.push(answer),
            }
            state.wake();
        }
    }

    /// Reads on from the number `from`, or from where the last reader stopped.
    pub(crate) fn attach(&self, from: Option<u64>) -> Reader {
        let mut state = self.lock();
        if let Some(from) = from {
            let end = state.oldest + state.log.len() as u64;
            state.next = from.clamp(state.oldest, end);
            let skip = (state.next - state.oldest) as usize;
            state.kept = state.log.iter().take(skip).map(Bytes::len).sum();
            state.unread = state.log.iter().skip(skip).map(Bytes::len).sum();
        }
        state.reader += 1;
        state.wake();
        Reader(state.reader)
    }

    /// Whether there is something to read, now or later.
    pub(crate) fn poll_ready(&self, task: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.unread > 0 || state.finished || state.released {
            return Poll::Ready(());
        }
        state.waker = Some(task.waker().clone());
        Poll::Pending
    }

    /// The answer, if it is all there is.
    pub(crate) fn answer(&self) -> Option<Bytes> {
        let state = self.lock();
        state.log.front().filter(|_| state.answered && state.log.len() == 1 && state.next == 1).cloned()
    }

    /// Whether nothing comes any more.
    pub(crate) fn is_finished(&self) -> bool {
        self.lock().finished
    }

    /// How many bytes it holds.
    pub(crate) fn size(&self) -> usize {
        let state = self.lock();
        state.kept + state.unread
    }

    /// Whether nothing waits to be read.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().unread == 0
    }

    pub(crate) fn poll_next(&self, reader: Reader, task: &Context<'_>) -> Poll<Next> {
        let mut state = self.lock();
        if state.reader != reader.0 {
            return Poll::Ready(Next::End);
        }
        let place = (state.next - state.oldest) as usize;
        if let Some(message) = state.log.get(place).cloned() {
            let number = state.next;
            state.next += 1;
            state.unread -= message.len();
            state.kept += message.len();
            state.forget(self.keep);
            return Poll::Ready(Next::Message(number, message));
        }
        if state.finished || std::mem::take(&mut state.released) {
            return Poll::Ready(Next::End);
        }
        state.waker = Some(task.waker().clone());
        Poll::Pending
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, message: Bytes) {
        self.unread += message.len();
        self.log.push_back(message);
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Lets go of the oldest of what was read.
    fn forget(&mut self, keep: usize) {
        while self.kept > keep && self.oldest < self.next {
            let Some(message) = self.log.pop_front() else { return };
            self.kept -= message.len();
            self.oldest += 1;
        }
    }
}

impl Outbox for Channel {
    fn send(&self, message: Outgoing) {
        let mut state = self.lock();
        if !state.finished && state.unread < BUDGET {
            state.push(message.into_bytes().into());
            state.wake();
        }
    }

    fn release(&self) {
        let mut state = self.lock();
        // Without anything that is kept there is nothing to come back to.
        state.released = self.keep > 0;
        state.wake();
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(f, "Channel({} messages, {} bytes unread)", state.log.len(), state.unread)
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Arc;

    use mcp_core::protocol::Revision;
    use mcp_core::serde_json::{Value, json};
    use mcp_core::transport::{Message, Reply};
    use mcp_core::{LogLevel, Server, ToolSpec, tool_fn};

    use super::*;
    use crate::host::TaskHost;

    fn take(channel: &Channel, reader: Reader) -> Poll<Next> {
        channel.poll_next(reader, &Context::from_waker(Waker::noop()))
    }

    fn message(number: u64, text: &'static str) -> Poll<Next> {
        Poll::Ready(Next::Message(number, Bytes::from_static(text.as_bytes())))
    }

    fn push(channel: &Channel, text: &'static str) {
        channel.lock().push(Bytes::from_static(text.as_bytes()));
    }

    #[test]
    fn what_was_read_is_kept_up_to_a_limit_for_a_reader_that_comes_back() {
        let channel = Channel::new(6);
        let reader = channel.attach(None);
        ["one", "two", "six"].into_iter().for_each(|text| push(&channel, text));
        assert_eq!([(); 3].map(|()| take(&channel, reader)), [message(1, "one"), message(2, "two"), message(3, "six")]);
        assert!(take(&channel, reader).is_pending());
        assert_eq!(channel.size(), 6);

        let back = channel.attach(Some(1));
        assert_eq!(take(&channel, reader), Poll::Ready(Next::End));
        channel.finish(Some(Bytes::from_static(b"end")));
        assert_eq!([(); 3].map(|()| take(&channel, back)), [message(2, "two"), message(3, "six"), message(4, "end")]);
        assert_eq!(take(&channel, back), Poll::Ready(Next::End));
        assert_eq!(take(&channel, channel.attach(Some(u64::MAX))), Poll::Ready(Next::End));
    }

    #[test]
    fn a_flood_that_nobody_reads_takes_no_more_than_its_budget_and_the_answer_still_comes() {
        let shout = tool_fn(ToolSpec::new("shout", "Shout."), |_: Value, cx: mcp_core::Context| async move {
            (0..1000).for_each(|_| cx.log(LogLevel::Error, "x".repeat(10_000)));
        });
        let channel = Arc::new(Channel::new(0));
        let server = Server::new("loud", "1.0.0").tools(shout).build().unwrap();
        let session = server.session(Arc::new(TaskHost::new()), channel.clone()).negotiated(Revision::V2025_11_25);
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shout"}}).to_string();
        let Reply::Later(later) = session.receive(Message::parse_text(&call)) else { panic!() };
        assert!(pin!(later).poll(&mut Context::from_waker(Waker::noop())).is_ready());
        assert!(channel.size() > BUDGET / 2 && channel.size() < BUDGET + 20_000, "{channel:?}");
        channel.finish(Some(Bytes::from_static(b"answer")));
        assert_eq!(channel.lock().log.back().unwrap(), "answer");
    }
}
