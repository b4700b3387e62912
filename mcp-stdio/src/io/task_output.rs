//! The output of `serve` and `serve_on`: the queue, and the future that writes it.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use mcp_core::transport::{Outbox, Outgoing, Response};
use tokio::io::AsyncWrite;
use tokio::sync::Notify;

use crate::io::queue::{LIMIT, Queue};

/// The number of bytes that are written at a time. Between two writes, the supervisor can see that the client is
/// reading.
const WRITE_SIZE: usize = 64 << 10;

/// The queue behind its mutex.
#[derive(Debug)]
pub(crate) struct TaskOutput {
    queue: Mutex<Queue>,
    /// Notifies the writer that the queue has changed.
    changed: Notify,
}

impl TaskOutput {
    pub(crate) fn new() -> TaskOutput {
        TaskOutput { queue: Mutex::new(Queue::new(LIMIT)), changed: Notify::new() }
    }

    /// Adds a response. It is written after the next [`wake_writer`](TaskOutput::wake_writer), so that the responses to one
    /// chunk are written together.
    pub(crate) fn push(&self, response: &Response) {
        self.with(|queue| queue.push(|bytes| response.encode(bytes)));
    }

    /// Writes what is queued.
    pub(crate) fn wake_writer(&self) {
        self.changed.notify_one();
    }

    /// Returns `Ready` if the queue has room. Otherwise the task is woken when it has.
    pub(crate) fn poll_room(&self, task: &Context<'_>) -> Poll<()> {
        let poll = self.with(|queue| queue.poll_room(task));
        if poll.is_pending() {
            self.wake_writer();
        }
        poll
    }

    /// Waits until the queue has room.
    pub(crate) async fn room(&self) {
        poll_fn(|task| self.poll_room(task)).await;
    }

    /// Returns the total number of bytes written so far.
    pub(crate) fn written(&self) -> u64 {
        self.with(|queue| queue.written())
    }

    /// Ends the writer when everything is written. Nothing may be added after that.
    pub(crate) fn close(&self) {
        self.with(Queue::close);
        self.wake_writer();
    }

    /// Writes what is added until the output is closed.
    pub(crate) async fn write_to(&self, mut writer: Pin<&mut impl AsyncWrite>) -> io::Result<()> {
        loop {
            match self.with(Queue::take) {
                Some(batch) => {
                    let outcome = self.write_batch(writer.as_mut(), &batch).await;
                    self.with(|queue| queue.finish(batch, outcome.is_ok()));
                    outcome?;
                }
                None if self.with(|queue| queue.is_closed()) => {
                    return poll_fn(|task| writer.as_mut().poll_shutdown(task)).await;
                }
                None => self.changed.notified().await,
            }
        }
    }

    async fn write_batch(&self, mut writer: Pin<&mut impl AsyncWrite>, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let piece = &bytes[..bytes.len().min(WRITE_SIZE)];
            let length = poll_fn(|task| writer.as_mut().poll_write(task, piece)).await?;
            if length == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.with(|queue| queue.wrote(length));
            bytes = &bytes[length..];
        }
        poll_fn(|task| writer.as_mut().poll_flush(task)).await
    }

    /// Changes the queue, and wakes the tasks that waited for this change.
    fn with<T>(&self, change: impl FnOnce(&mut Queue) -> T) -> T {
        // No code panics while it holds the lock, so poisoning can be ignored.
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = change(&mut queue);
        let ready = queue.take_ready_tasks();
        drop(queue);
        ready.into_iter().for_each(Waker::wake);
        outcome
    }
}

impl Outbox for TaskOutput {
    fn send(&self, message: Outgoing) {
        self.with(|queue| queue.push_notification(message.as_bytes()));
        self.wake_writer();
    }
}
