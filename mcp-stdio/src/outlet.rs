//! What is on its way to the client of an async server.

use std::io;
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_core::{Outbox, Outgoing, Response};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

/// With this much on its way to a client that does not read, no more of its messages are read.
const BUDGET: usize = 32 << 20;

/// What a buffer may keep for the next replies; beyond it, memory is given back.
const KEPT: usize = 2 << 20;

/// The queue to the client: anybody adds, one task writes.
#[derive(Debug, Default)]
pub(crate) struct Outlet {
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
}

impl Outlet {
    /// Adds a reply. It leaves with the next [`wake`](Outlet::wake), so that the replies to one chunk leave together.
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

    /// Waits while more is on its way than the budget allows.
    pub(crate) async fn room(&self) {
        while self.is_full() {
            self.wake();
            self.drained.notified().await;
        }
    }

    /// Writes what is added until it is closed.
    pub(crate) async fn write_to(&self, mut writer: Pin<&mut impl AsyncWrite>) -> io::Result<()> {
        let mut batch = Vec::new();
        loop {
            if !self.take(&mut batch) {
                return writer.shutdown().await;
            }
            if batch.is_empty() {
                self.filled.notified().await;
                continue;
            }
            writer.write_all(&batch).await?;
            writer.flush().await?;
        }
    }

    /// Takes the whole queue in exchange for a batch that was written. False when there will be no more.
    fn take(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        batch.shrink_to(KEPT);
        let mut queue = self.lock();
        mem::swap(&mut queue.bytes, batch);
        queue.leaving = batch.len();
        self.drained.notify_one();
        !(batch.is_empty() && queue.closed)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox for Outlet {
    /// Adds it, or drops it: a tool that logs without end to a client that does not read must not fill the memory.
    fn send(&self, message: Outgoing) {
        if self.is_full() {
            return;
        }
        let mut queue = self.lock();
        queue.bytes.extend_from_slice(message.as_bytes());
        queue.bytes.push(b'\n');
        drop(queue);
        self.wake();
    }
}
