//! What is on its way to the client of an async server.

use std::future::poll_fn;
use std::io;
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_core::transport::{Outbox, Outgoing, Response};
use tokio::io::AsyncWrite;
use tokio::sync::Notify;

/// With this much on its way to a client that does not read, no more of its messages are read.
const BUDGET: usize = 32 << 20;

/// What a buffer may keep for the next replies; beyond it, memory is given back.
const KEPT: usize = 2 << 20;

/// How much is written at a time.
const PIECE: usize = 64 << 10;

/// The queue to the client: anybody adds, one task writes.
#[derive(Debug, Default)]
pub(crate) struct AsyncOutput {
    queue: Mutex<Queue>,
    filled: Notify,
    drained: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    bytes: Vec<u8>,
    /// How much is being written at the moment.
    leaving: usize,
    closed: bool,
    /// How much has left so far.
    written: usize,
}

impl AsyncOutput {
    /// Adds a reply. It leaves with the next [`wake`](AsyncOutput::wake), so that the replies to one chunk leave together.
    pub(crate) fn push(&self, response: &Response) {
        let mut queue = self.lock();
        response.encode(&mut queue.bytes);
        queue.bytes.push(b'\n');
    }

    /// Whether so much is on its way that no more messages should be answered.
    pub(crate) fn is_full(&self) -> bool {
        let queue = self.lock();
        queue.bytes.len() + queue.leaving > BUDGET
    }

    /// Has the queue written.
    pub(crate) fn wake(&self) {
        self.filled.notify_one();
    }

    /// Nothing more will be added: writing ends when the queue is empty.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.wake();
    }

    /// How much has left so far: it grows for as long as the client reads.
    pub(crate) fn written(&self) -> usize {
        self.lock().written
    }

    /// Waits while more is on its way than the budget allows.
    pub(crate) async fn room(&self) {
        loop {
            let drained = self.drained.notified();
            if !self.is_full() {
                return;
            }
            self.wake();
            drained.await;
        }
    }

    /// Writes what is added until it is closed.
    pub(crate) async fn write_to(&self, mut writer: Pin<&mut impl AsyncWrite>) -> io::Result<()> {
        let mut batch = Vec::new();
        loop {
            if !self.take(&mut batch) {
                return poll_fn(|task| writer.as_mut().poll_shutdown(task)).await;
            }
            if batch.is_empty() {
                self.filled.notified().await;
                continue;
            }
            let mut rest = &batch[..];
            while !rest.is_empty() {
                // In pieces, so that a client that reads slowly is seen to read.
                let piece = &rest[..rest.len().min(PIECE)];
                let length = poll_fn(|task| writer.as_mut().poll_write(task, piece)).await?;
                if length == 0 {
                    return Err(io::ErrorKind::WriteZero.into());
                }
                rest = &rest[length..];
                self.lock().written += length;
            }
            poll_fn(|task| writer.as_mut().poll_flush(task)).await?;
        }
    }

    /// Takes the whole queue in exchange for a batch that was written. False when there will be no more.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        batch.shrink_to(KEPT);
        let mut queue = self.lock();
        mem::swap(&mut queue.bytes, batch);
        queue.leaving = batch.len();
        self.drained.notify_waiters();
        !(batch.is_empty() && queue.closed)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox for AsyncOutput {
    /// Adds it, or drops it: a tool that logs without end to a client that does not read must not fill the memory.
    fn send(&self, message: Outgoing) {
        let mut queue = self.lock();
        // Not after the end either, which must not wait for a tool that tells its client something for ever.
        if queue.closed || queue.bytes.len() + queue.leaving > BUDGET {
            return;
        }
        queue.bytes.extend_from_slice(message.as_bytes());
        queue.bytes.push(b'\n');
        drop(queue);
        self.wake();
    }
}
