//! The queue of messages of one stream to a client, with replay for a client that resumes the stream.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use mcp_core::transport::{Outbox, Outgoing};

use crate::limits::{MAX_UNREAD_NOTIFICATIONS, MAX_UNREAD_RESPONSES};

/// The messages of one stream, numbered from 1. It has many writers and one reader.
///
/// Messages that were read can be kept, for a reader that resumes the stream.
pub(crate) struct MessageQueue {
    /// How many bytes of read messages are kept.
    replay_bytes: usize,
    state: Mutex<State>,
}

struct State {
    /// Messages that were read and are kept, followed by unread messages.
    messages: VecDeque<Bytes>,
    /// The number of the first of `messages`.
    oldest: u64,
    /// The number of the next message to be read.
    next: u64,
    /// The size in bytes of the messages that were read and are kept.
    read_bytes: usize,
    unread_bytes: usize,
    finished: bool,
    /// Whether the tool asked the client to disconnect and to resume the stream later.
    released: bool,
    /// Whether the last message is a response.
    ends_with_response: bool,
    /// The number of the current reader. The stream of every earlier reader ends.
    reader: u64,
    waker: Option<Waker>,
}

/// A reader of a queue. Attaching a new reader ends the stream of the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reader(u64);

/// What a reader receives.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A message and its number.
    Message(u64, Bytes),
    End,
}

impl MessageQueue {
    /// Creates a queue that keeps up to `replay_bytes` of messages that were read.
    pub(crate) fn new(replay_bytes: usize) -> MessageQueue {
        let state = State {
            messages: VecDeque::new(),
            oldest: 1,
            next: 1,
            read_bytes: 0,
            unread_bytes: 0,
            finished: false,
            released: false,
            ends_with_response: false,
            reader: 0,
            waker: None,
        };
        MessageQueue { replay_bytes, state: Mutex::new(state) }
    }

    /// Adds the response of the call, if it has one, and ends the stream. Idempotent.
    pub(crate) fn finish(&self, response: Option<Bytes>) {
        let mut state = self.lock();
        if !state.finished {
            state.finished = true;
            state.ends_with_response = response.is_some();
            if let Some(response) = response {
                state.push(response);
            }
            state.wake();
        }
    }

    /// Adds a response and keeps the stream open. Ends the stream if [`MAX_UNREAD_RESPONSES`] is exceeded.
    pub(crate) fn push_response(&self, response: Bytes) {
        let mut state = self.lock();
        if !state.finished {
            match state.unread_bytes > 0 && state.unread_bytes + response.len() > MAX_UNREAD_RESPONSES {
                true => state.finished = true,
                false => state.push(response),
            }
            state.wake();
        }
    }

    /// Wakes the reader, so that it checks whether its stream has ended.
    pub(crate) fn wake_reader(&self) {
        self.lock().wake();
    }

    /// Attaches a reader. It starts at the message `first` or, if that is `None`, after the last message that was read.
    pub(crate) fn attach(&self, first: Option<u64>) -> Reader {
        let mut state = self.lock();
        if let Some(first) = first {
            let end = state.oldest + state.messages.len() as u64;
            state.next = first.clamp(state.oldest, end);
            let skip = (state.next - state.oldest) as usize;
            state.read_bytes = state.messages.iter().take(skip).map(Bytes::len).sum();
            state.unread_bytes = state.messages.iter().skip(skip).map(Bytes::len).sum();
        }
        state.reader += 1;
        state.wake();
        Reader(state.reader)
    }

    /// Completes when there is a message to read, or the stream has ended or was released.
    pub(crate) fn poll_ready(&self, task: &Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.unread_bytes > 0 || state.finished || state.released {
            return Poll::Ready(());
        }
        state.waker = Some(task.waker().clone());
        Poll::Pending
    }

    /// Returns the response if it is the only message.
    pub(crate) fn only_response(&self) -> Option<Bytes> {
        let state = self.lock();
        state.messages.front().filter(|_| state.ends_with_response && state.messages.len() == 1 && state.next == 1).cloned()
    }

    /// Returns whether no more messages will be added.
    pub(crate) fn is_finished(&self) -> bool {
        self.lock().finished
    }

    /// Returns the bytes of all messages in memory.
    pub(crate) fn size(&self) -> usize {
        let state = self.lock();
        state.read_bytes + state.unread_bytes
    }

    /// Returns whether there is no unread message.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().unread_bytes == 0
    }

    /// Returns the next message, or the end of the stream for this reader.
    pub(crate) fn poll_next(&self, reader: Reader, task: &Context<'_>) -> Poll<Next> {
        let mut state = self.lock();
        if state.reader != reader.0 {
            return Poll::Ready(Next::End);
        }
        let index = (state.next - state.oldest) as usize;
        if let Some(message) = state.messages.get(index).cloned() {
            let number = state.next;
            state.next += 1;
            state.unread_bytes -= message.len();
            state.read_bytes += message.len();
            state.drop_read(self.replay_bytes);
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
        self.unread_bytes += message.len();
        self.messages.push_back(message);
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Drops the oldest messages that were read until at most `replay_bytes` are kept.
    fn drop_read(&mut self, replay_bytes: usize) {
        while self.read_bytes > replay_bytes && self.oldest < self.next {
            let Some(message) = self.messages.pop_front() else { return };
            self.read_bytes -= message.len();
            self.oldest += 1;
        }
    }
}

impl Outbox for MessageQueue {
    fn send(&self, message: Outgoing) {
        let mut state = self.lock();
        if !state.finished && state.unread_bytes < MAX_UNREAD_NOTIFICATIONS {
            state.push(message.into_bytes().into());
            state.wake();
        }
    }

    fn release(&self) {
        let mut state = self.lock();
        // A stream without replay cannot be resumed, so it stays open.
        state.released = self.replay_bytes > 0;
        state.wake();
    }
}

impl fmt::Debug for MessageQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(f, "MessageQueue({} messages, {} bytes unread)", state.messages.len(), state.unread_bytes)
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
    use mcp_tokio::TokioHost;

    use super::*;

    fn take(queue: &MessageQueue, reader: Reader) -> Poll<Next> {
        queue.poll_next(reader, &Context::from_waker(Waker::noop()))
    }

    fn message(number: u64, text: &'static str) -> Poll<Next> {
        Poll::Ready(Next::Message(number, Bytes::from_static(text.as_bytes())))
    }

    fn push(queue: &MessageQueue, text: &'static str) {
        queue.lock().push(Bytes::from_static(text.as_bytes()));
    }

    #[test]
    fn read_messages_are_kept_up_to_a_limit_for_a_reader_that_resumes() {
        let queue = MessageQueue::new(6);
        let reader = queue.attach(None);
        ["one", "two", "six"].into_iter().for_each(|text| push(&queue, text));
        assert_eq!([(); 3].map(|()| take(&queue, reader)), [message(1, "one"), message(2, "two"), message(3, "six")]);
        assert!(take(&queue, reader).is_pending());
        assert_eq!(queue.size(), 6);

        let resumed = queue.attach(Some(1));
        assert_eq!(take(&queue, reader), Poll::Ready(Next::End));
        queue.finish(Some(Bytes::from_static(b"end")));
        assert_eq!([(); 3].map(|()| take(&queue, resumed)), [message(2, "two"), message(3, "six"), message(4, "end")]);
        assert_eq!(take(&queue, resumed), Poll::Ready(Next::End));
        assert_eq!(take(&queue, queue.attach(Some(u64::MAX))), Poll::Ready(Next::End));
    }

    #[test]
    fn unread_notifications_are_limited_and_the_response_is_still_added() {
        let shout = tool_fn(ToolSpec::new("shout", "Shout."), |_: Value, cx: mcp_core::Context| async move {
            (0..1000).for_each(|_| cx.log(LogLevel::Error, "x".repeat(10_000)));
        });
        let queue = Arc::new(MessageQueue::new(0));
        let server = Server::builder("loud", "1.0.0").tools(shout).build().unwrap();
        let session = server.session(Arc::new(TokioHost::new()), queue.clone()).negotiated(Revision::V2025_11_25);
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shout"}}).to_string();
        let Reply::Later(later) = session.receive(Message::parse_text(&call)) else { panic!() };
        assert!(pin!(later).poll(&mut Context::from_waker(Waker::noop())).is_ready());
        assert!(
            queue.size() > MAX_UNREAD_NOTIFICATIONS / 2 && queue.size() < MAX_UNREAD_NOTIFICATIONS + 20_000,
            "{queue:?}"
        );
        queue.finish(Some(Bytes::from_static(b"answer")));
        assert_eq!(queue.lock().messages.back().unwrap(), "answer");
    }
}
