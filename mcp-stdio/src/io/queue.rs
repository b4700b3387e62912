//! The output queue: messages on their way to the client.
//!
//! - Any thread or task adds messages.
//! - One writer at a time takes all of them ([`Queue::take`]), writes them without holding the lock, reports what it has written
//!   ([`Queue::wrote`]) and gives the buffer back ([`Queue::finish`]). Messages that were added meanwhile form the next batch.
//! - With more unwritten bytes than its limit the queue has no room: notifications are dropped, and whoever would cause more
//!   responses waits ([`Queue::poll_room`]). Responses are always added, because their calls have already run.
//! - After [`Queue::close`] only responses are added: a tool that sends notifications without end cannot delay the shutdown.
//! - After a failed write the queue stays empty.
//!
//! This type has no lock and does no I/O. Its owners call it under a mutex.

use std::fmt;
use std::mem;
use std::task::{Context, Poll, Waker};

/// Limit of the queue of a server: number of unwritten bytes above which no more messages of the client are read.
pub(crate) const LIMIT: usize = 32 << 20;

/// Buffers that grew larger than this are released after use.
const KEPT_CAPACITY: usize = 2 << 20;

/// The output queue. See the documentation of the module.
pub struct Queue {
    limit: usize,
    bytes: Vec<u8>,
    /// The buffer of the last batch, for the one after the next.
    spare: Vec<u8>,
    writer: Writer,
    written: u64,
    closed: bool,
    /// Tasks that wait for room.
    waiting: Vec<Waker>,
}

#[derive(Debug)]
enum Writer {
    Idle,
    /// A batch is being written.
    Writing { unwritten: usize },
    /// A write failed. Nothing is added any more.
    Failed,
}

impl Queue {
    /// Returns an empty queue that has room up to so many bytes.
    pub fn new(limit: usize) -> Queue {
        Queue {
            limit,
            bytes: Vec::new(),
            spare: Vec::new(),
            writer: Writer::Idle,
            written: 0,
            closed: false,
            waiting: Vec::new(),
        }
    }

    /// Adds a response, which `encode` appends to the buffer. Returns the number of queued bytes.
    pub fn push(&mut self, encode: impl FnOnce(&mut Vec<u8>)) -> usize {
        if !matches!(self.writer, Writer::Failed) {
            encode(&mut self.bytes);
            self.bytes.push(b'\n');
        }
        self.bytes.len()
    }

    /// Adds a notification, or drops it if there is no room or the queue is closed.
    pub fn push_notification(&mut self, json: &[u8]) {
        if !self.closed && self.has_room() && !matches!(self.writer, Writer::Failed) {
            self.bytes.extend_from_slice(json);
            self.bytes.push(b'\n');
        }
    }

    /// Returns the number of queued bytes, without those that are being written.
    pub fn queued(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether there are messages to write and no writer.
    pub fn needs_writer(&self) -> bool {
        matches!(self.writer, Writer::Idle) && !self.bytes.is_empty()
    }

    /// Takes all messages to write them. Returns `None` if there are none, or if another writer is active: that one writes
    /// them too.
    pub fn take(&mut self) -> Option<Vec<u8>> {
        if !self.needs_writer() {
            return None;
        }
        let batch = mem::replace(&mut self.bytes, mem::take(&mut self.spare));
        self.writer = Writer::Writing { unwritten: batch.len() };
        Some(batch)
    }

    /// Reports that the writer has written so many bytes of its batch.
    pub fn wrote(&mut self, length: usize) {
        self.written += length as u64;
        if let Writer::Writing { unwritten } = &mut self.writer {
            *unwritten -= length;
        }
    }

    /// Reports that the writer has written its batch, or that it failed.
    pub fn finish(&mut self, mut batch: Vec<u8>, succeeded: bool) {
        if !succeeded {
            self.writer = Writer::Failed;
            self.bytes = Vec::new();
            return;
        }
        self.writer = Writer::Idle;
        batch.clear();
        batch.shrink_to(KEPT_CAPACITY);
        self.spare = batch;
    }

    /// Returns whether the queue is below its limit, or failed: then messages are discarded at once.
    pub fn has_room(&self) -> bool {
        match self.writer {
            Writer::Idle => self.bytes.len() <= self.limit,
            Writer::Writing { unwritten } => self.bytes.len() + unwritten <= self.limit,
            Writer::Failed => true,
        }
    }

    /// Returns `Ready` if there is room. Otherwise the task is woken when there is.
    pub fn poll_room(&mut self, task: &Context<'_>) -> Poll<()> {
        if self.has_room() {
            return Poll::Ready(());
        }
        if !self.waiting.iter().any(|waker| waker.will_wake(task.waker())) {
            self.waiting.push(task.waker().clone());
        }
        Poll::Pending
    }

    /// Returns the tasks to wake because there is room again. Call it after [`wrote`](Queue::wrote) and
    /// [`finish`](Queue::finish), and wake them without holding the lock.
    pub fn take_ready_tasks(&mut self) -> Vec<Waker> {
        if self.has_room() { mem::take(&mut self.waiting) } else { Vec::new() }
    }

    /// Returns whether everything was written, or a write failed.
    pub fn is_flushed(&self) -> bool {
        match self.writer {
            Writer::Idle => self.bytes.is_empty(),
            Writer::Writing { .. } => false,
            Writer::Failed => true,
        }
    }

    /// Returns the total number of bytes written so far: it grows as long as the client reads.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns whether [`close`](Queue::close) was called.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Drops all further notifications.
    pub fn close(&mut self) {
        self.closed = true;
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue({} bytes, writer: {:?})", self.bytes.len(), self.writer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::task::Wake;

    use super::*;

    struct Task;

    impl Wake for Task {
        fn wake(self: Arc<Task>) {}
    }

    const LIMIT: usize = 1000;

    fn push(queue: &mut Queue, text: &str) {
        queue.push(|bytes| bytes.extend_from_slice(text.as_bytes()));
    }

    #[test]
    fn messages_that_are_added_during_a_write_form_the_next_batch() {
        let mut queue = Queue::new(LIMIT);
        assert_eq!(queue.take(), None, "there is nothing to write");
        push(&mut queue, "one");
        queue.push_notification(b"two");
        let batch = queue.take().unwrap();
        assert_eq!(batch, b"one\ntwo\n");
        push(&mut queue, "three");
        assert_eq!(queue.take(), None, "another writer is active");
        queue.wrote(batch.len());
        queue.finish(batch, true);
        assert!(!queue.is_flushed());
        let batch = queue.take().unwrap();
        assert_eq!(batch, b"three\n");
        queue.wrote(batch.len());
        queue.finish(batch, true);
        assert!(queue.is_flushed());
        assert_eq!(queue.written(), 14);
    }

    #[test]
    fn without_room_notifications_are_dropped_and_responses_are_not() {
        let mut queue = Queue::new(LIMIT);
        queue.push_notification(&[b'1'; LIMIT]);
        assert!(!queue.has_room());
        let batch = queue.take().unwrap();
        assert!(!queue.has_room(), "bytes that are being written count");
        queue.push_notification(b"dropped");
        push(&mut queue, "kept");
        queue.wrote(100);
        assert!(queue.has_room());
        queue.wrote(batch.len() - 100);
        queue.finish(batch, true);
        assert_eq!(queue.take().unwrap(), b"kept\n");
    }

    #[test]
    fn tasks_that_wait_for_room_are_woken_when_there_is_room() {
        let mut queue = Queue::new(LIMIT);
        let waker = Waker::from(Arc::new(Task));
        let task = Context::from_waker(&waker);
        assert!(queue.poll_room(&task).is_ready());
        queue.push_notification(&[b'1'; LIMIT]);
        assert!(queue.poll_room(&task).is_pending());
        assert!(queue.poll_room(&task).is_pending());
        assert!(queue.take_ready_tasks().is_empty());
        let batch = queue.take().unwrap();
        queue.wrote(batch.len());
        assert_eq!(queue.take_ready_tasks().len(), 1, "a task that polled twice is woken once");
    }

    #[test]
    fn after_a_failed_write_everything_is_discarded_and_nobody_waits() {
        let mut queue = Queue::new(LIMIT);
        push(&mut queue, "one");
        let batch = queue.take().unwrap();
        push(&mut queue, "two");
        queue.finish(batch, false);
        push(&mut queue, "three");
        queue.push_notification(b"four");
        assert!(queue.is_flushed() && queue.has_room() && !queue.needs_writer());
    }

    #[test]
    fn a_closed_queue_accepts_only_responses() {
        let mut queue = Queue::new(LIMIT);
        queue.close();
        queue.push_notification(b"notification");
        push(&mut queue, "response");
        assert_eq!(queue.take().unwrap(), b"response\n");
    }

    #[test]
    fn memory_of_a_large_batch_is_released() {
        let mut queue = Queue::new(8 * KEPT_CAPACITY);
        queue.push_notification(&vec![b'1'; 4 * KEPT_CAPACITY]);
        let batch = queue.take().unwrap();
        queue.wrote(batch.len());
        queue.finish(batch, true);
        assert!(queue.spare.capacity() <= KEPT_CAPACITY);
    }
}
