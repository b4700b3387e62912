//! The queue between the task that reads the CLI and the reader of messages.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::Unread;
use super::file::SpillFile;
use crate::message::{Message, Partial, StreamEvent};

/// Creates a queue.
pub(crate) fn unread(limits: Unread) -> (UnreadSender, UnreadReceiver) {
    let queue = Arc::new(Mutex::new(Queue::new(limits)));
    (UnreadSender(Arc::clone(&queue)), UnreadReceiver(queue))
}

/// The end of the task that reads the CLI. The queue ends when it is dropped.
#[derive(Debug)]
pub(crate) struct UnreadSender(Arc<Mutex<Queue>>);

/// The end of the reader of messages.
#[derive(Debug)]
pub(crate) struct UnreadReceiver(Arc<Mutex<Queue>>);

/// What must be done because nobody reads the messages.
#[derive(Debug)]
pub(crate) enum Overflow {
    /// The turn must be interrupted.
    Interrupt,
    /// The session must be ended.
    End(io::Error),
}

#[derive(Debug)]
struct Queue {
    limits: Unread,
    memory: VecDeque<Message>,
    bytes: usize,
    file: Option<SpillFile>,
    /// The agents (by parent tool use) whose current answer lost partial messages. Its other parts are dropped too.
    cut: HashSet<Option<String>>,
    dropped: u64,
    is_interrupted: bool,
    /// A message was lost, so the session ends. The reader must not get later messages without it.
    has_lost_message: bool,
    /// No more messages come, or nobody takes them.
    is_closed: bool,
    waker: Option<Waker>,
}

impl UnreadSender {
    /// Adds a message. Reports what must be done if there are too many.
    pub(crate) fn send(&self, message: Message) -> Option<Overflow> {
        let mut queue = lock(&self.0);
        if queue.is_closed {
            return None;
        }
        let overflow = queue.push(message);
        let waker = queue.waker.take();
        drop(queue);
        if let Some(waker) = waker {
            waker.wake();
        }
        overflow
    }
}

impl Drop for UnreadSender {
    fn drop(&mut self) {
        let mut queue = lock(&self.0);
        queue.is_closed = true;
        let waker = queue.waker.take();
        drop(queue);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl UnreadReceiver {
    pub(crate) fn poll_recv(&self, context: &mut Context<'_>) -> Poll<Option<Message>> {
        let mut queue = lock(&self.0);
        if let Some(message) = queue.pop() {
            return Poll::Ready(Some(message));
        }
        if queue.is_closed {
            return Poll::Ready(None);
        }
        queue.waker = Some(context.waker().clone());
        Poll::Pending
    }

    /// Returns how many messages wait.
    pub(crate) fn len(&self) -> usize {
        let queue = lock(&self.0);
        queue.memory.len() + queue.file.as_ref().map_or(0, SpillFile::waiting)
    }

    /// Returns how many partial messages were dropped.
    pub(crate) fn dropped(&self) -> u64 {
        lock(&self.0).dropped
    }
}

impl Drop for UnreadReceiver {
    fn drop(&mut self) {
        let mut queue = lock(&self.0);
        queue.is_closed = true;
        queue.memory.clear();
        queue.file = None;
    }
}

impl Queue {
    fn new(limits: Unread) -> Self {
        Self {
            limits,
            memory: VecDeque::new(),
            bytes: 0,
            file: None,
            cut: HashSet::new(),
            dropped: 0,
            is_interrupted: false,
            has_lost_message: false,
            is_closed: false,
            waker: None,
        }
    }

    fn push(&mut self, message: Message) -> Option<Overflow> {
        if self.has_lost_message {
            return None;
        }
        let overflow = self.add(message);
        self.has_lost_message = matches!(overflow, Some(Overflow::End(_)));
        overflow
    }

    fn add(&mut self, message: Message) -> Option<Overflow> {
        if let Message::Stream(partial) = &message
            && self.drops(partial)
        {
            self.count_dropped(1);
            return None;
        }
        let size = size(&message);
        // While messages wait in the file, new ones must go behind them.
        if self.file.is_none() && self.bytes + size > self.limits.memory {
            self.drop_partials();
        }
        let fits = self.file.is_none() && self.bytes + size <= self.limits.memory;
        if fits || (self.is_interrupted && self.bytes + size <= self.limits.memory.saturating_mul(2)) {
            self.bytes += size;
            self.memory.push_back(message);
            return None;
        }
        if self.limits.file > 0 {
            return self.spill(&message).err().map(Overflow::End);
        }
        if std::mem::replace(&mut self.is_interrupted, true) {
            return Some(Overflow::End(io::Error::other("too many messages were not read")));
        }
        self.bytes += size;
        self.memory.push_back(message);
        Some(Overflow::Interrupt)
    }

    /// Returns whether this partial message is dropped.
    fn drops(&mut self, partial: &Partial) -> bool {
        let is_full = self.file.is_some() || self.bytes > self.limits.memory / 2;
        let parent = &partial.parent_tool_use_id;
        if is_full {
            self.cut.insert(parent.clone());
        } else if matches!(partial.event, StreamEvent::MessageStart(_)) {
            self.cut.remove(parent);
        }
        self.cut.contains(parent)
    }

    /// Drops the partial messages that wait.
    fn drop_partials(&mut self) {
        let before = self.memory.len();
        let cut = &mut self.cut;
        self.memory.retain(|message| match message {
            Message::Stream(partial) => {
                cut.insert(partial.parent_tool_use_id.clone());
                false
            }
            _ => true,
        });
        self.bytes = self.memory.iter().map(size).sum();
        self.count_dropped((before - self.memory.len()) as u64);
    }

    fn count_dropped(&mut self, count: u64) {
        if self.dropped == 0 && count > 0 {
            tracing::warn!("the messages of the session are not read: partial messages are dropped");
        }
        self.dropped += count;
    }

    fn spill(&mut self, message: &Message) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                tracing::warn!("the messages of the session are not read: writing them to a temporary file");
                self.file.insert(SpillFile::create()?)
            }
        };
        if file.written() + size(message) as u64 > self.limits.file {
            return Err(io::Error::other("too many messages were not read"));
        }
        file.write(message)
    }

    fn pop(&mut self) -> Option<Message> {
        if let Some(message) = self.memory.pop_front() {
            self.bytes -= size(&message);
            self.is_interrupted &= self.bytes > self.limits.memory / 2;
            return Some(message);
        }
        let message = match self.file.as_mut()?.read() {
            Ok(message) => message,
            Err(error) => {
                tracing::error!(%error, "cannot read the messages back from the temporary file");
                None
            }
        };
        if message.is_none() {
            self.file = None;
        }
        message
    }
}

fn size(message: &Message) -> usize {
    message.raw().get().len()
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn message(value: Value) -> Message {
        serde_json::from_value(value).unwrap()
    }

    fn whole(number: u64) -> Message {
        message(json!({"type": "assistant", "number": number, "padding": "x".repeat(100)}))
    }

    fn start() -> Message {
        message(json!({"type": "stream_event", "event": {"type": "message_start", "message": {}}}))
    }

    fn part() -> Message {
        let delta = json!({"type": "text_delta", "text": "x".repeat(100)});
        message(json!({"type": "stream_event", "event": {"type": "content_block_delta", "index": 0, "delta": delta}}))
    }

    fn all(receiver: &UnreadReceiver) -> Vec<Message> {
        std::iter::from_fn(|| lock(&receiver.0).pop()).collect()
    }

    fn numbers(messages: &[Message]) -> Vec<u64> {
        let raw = |message: &Message| serde_json::from_str::<Value>(message.raw().get()).unwrap();
        messages.iter().filter_map(|message| raw(message)["number"].as_u64()).collect()
    }

    #[test]
    fn partial_messages_are_dropped_first_and_whole_messages_never() {
        let (sender, receiver) = unread(Unread::spill().memory(2000));
        assert!(sender.send(start()).is_none());
        (0..50).for_each(|_| assert!(sender.send(part()).is_none()));
        (0..10).for_each(|number| assert!(sender.send(whole(number)).is_none()));
        let bytes = lock(&receiver.0).bytes;
        assert!(bytes <= 2000, "{bytes}");
        let read = all(&receiver);
        assert_eq!(numbers(&read), (0..10).collect::<Vec<_>>());
        let kept = read.iter().filter(|message| matches!(message, Message::Stream(_))).count() as u64;
        assert_eq!(receiver.dropped(), 51 - kept);
        // The rest of the answer is dropped too, and the next answer is complete.
        sender.send(part());
        assert_eq!(receiver.len(), 0);
        sender.send(start());
        sender.send(part());
        assert_eq!(receiver.len(), 2);
    }

    #[test]
    fn messages_that_do_not_fit_in_memory_wait_in_a_file_in_their_order() {
        let (sender, receiver) = unread(Unread::spill().memory(1000));
        (0..100).for_each(|number| assert!(sender.send(whole(number)).is_none()));
        let (bytes, path) = {
            let queue = lock(&receiver.0);
            (queue.bytes, queue.file.as_ref().unwrap().path().to_owned())
        };
        assert!(bytes <= 1000 && path.is_file());
        let first: Vec<Message> = (0..50).filter_map(|_| lock(&receiver.0).pop()).collect();
        (100..120).for_each(|number| assert!(sender.send(whole(number)).is_none()));
        let rest = all(&receiver);
        assert_eq!([numbers(&first), numbers(&rest)].concat(), (0..120).collect::<Vec<_>>());
        assert!(!path.exists(), "the file is removed when it is read");
    }

    #[test]
    fn a_file_that_is_full_ends_the_session() {
        let (sender, _receiver) = unread(Unread::spill().memory(1000).max_file(2000));
        let overflow = (0..100).find_map(|number| sender.send(whole(number)));
        assert!(matches!(overflow, Some(Overflow::End(_))), "{overflow:?}");
    }

    #[test]
    fn the_turn_is_interrupted_once_and_then_the_session_ends() {
        let (sender, receiver) = unread(Unread::interrupt().memory(1000));
        let overflows: Vec<Overflow> = (0..100).filter_map(|number| sender.send(whole(number))).collect();
        assert!(matches!(overflows[..], [Overflow::Interrupt, Overflow::End(_), ..]), "{overflows:?}");
        let read = numbers(&all(&receiver));
        assert_eq!(read, (0..read.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn after_a_lost_message_no_later_one_is_delivered_even_if_it_is_small() {
        for limits in [Unread::interrupt().memory(1000), Unread::spill().memory(1000).max_file(2000)] {
            let (sender, receiver) = unread(limits);
            let lost = (0..100).find(|&number| matches!(sender.send(whole(number)), Some(Overflow::End(_)))).unwrap();
            let small = message(json!({"type": "assistant", "number": 1000}));
            assert!(sender.send(small).is_none());
            assert_eq!(numbers(&all(&receiver)), (0..lost).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_queue_keeps_nothing_after_its_reader_is_gone() {
        let (sender, receiver) = unread(Unread::spill().memory(1000));
        (0..20).for_each(|number| assert!(sender.send(whole(number)).is_none()));
        drop(receiver);
        sender.send(whole(1));
        let queue = lock(&sender.0);
        assert!(queue.memory.is_empty() && queue.file.is_none());
    }
}
