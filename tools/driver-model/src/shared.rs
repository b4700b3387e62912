//! The state under loom's mutex and condition variables, as `mcp-stdio/src/driver/shared.rs` puts it under those of std.

use std::mem;

use loom::sync::{Condvar, Mutex, MutexGuard};
use mcp_stdio::__private::{Parts, Queue, State, Turn};

/// Checks all interleavings with at most this many preemptions, unless `LOOM_MAX_PREEMPTIONS` is set.
const PREEMPTIONS: usize = 2;

/// Checks a model.
pub(crate) fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(PREEMPTIONS));
    builder.check(model);
}

/// A driver whose calls are numbers.
pub(crate) struct Numbers;

impl Parts for Numbers {
    type Thread = u8;
    type Input = Input;
    type Call = u8;
    type Job = u8;
    type End = ();
}

/// A message of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message {
    /// A call that is ready at its first poll.
    Ready(u8),
    /// A call that passes a blocking function to the host.
    Blocking(u8),
    /// The same, and the function returns only after [`Message::Release`] was read.
    BlockingUntilRelease(u8),
    /// A notification.
    Release,
}

/// The messages that are still to be read, and the one that was read.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) unread: Vec<Message>,
    pub(crate) chunk: Option<Message>,
}

pub(crate) struct Shared {
    state: Mutex<State<Numbers>>,
    supervisor: Condvar,
    readers: Condvar,
    writer: Condvar,
    released: (Mutex<bool>, Condvar),
    /// What the client has received. Loom runs one thread at a time, so this mutex of std is never contended.
    received: std::sync::Mutex<Vec<u8>>,
}

impl Shared {
    /// A queue that has room for `limit` bytes, and the messages in reverse order.
    pub(crate) fn new(unread: Vec<Message>, limit: usize) -> Shared {
        Shared {
            state: Mutex::new(State::new(Input { unread, chunk: None }, Queue::new(limit), 3)),
            supervisor: Condvar::new(),
            readers: Condvar::new(),
            writer: Condvar::new(),
            released: (Mutex::new(false), Condvar::new()),
            received: std::sync::Mutex::default(),
        }
    }

    pub(crate) fn with<T>(&self, transition: impl FnOnce(&mut State<Numbers>) -> T) -> T {
        let mut state = self.lock();
        let outcome = transition(&mut state);
        let wakeups = state.take_wakeups();
        drop(state);
        if wakeups.supervisor {
            self.supervisor.notify_one();
        }
        if wakeups.readers {
            self.readers.notify_all();
        }
        if wakeups.writer {
            self.writer.notify_one();
        }
        for task in wakeups.tasks {
            task.wake();
        }
        outcome
    }

    pub(crate) fn wait_for_turn(&self) -> Option<Input> {
        let mut state = self.lock();
        loop {
            match state.next_turn() {
                Turn::Lead(input) => return Some(input),
                Turn::End => return None,
                Turn::Wait => state = self.readers.wait(state).unwrap(),
            }
        }
    }

    pub(crate) fn wait_for_room(&self) {
        let mut state = self.lock();
        while state.leader_must_wait() {
            state = self.readers.wait(state).unwrap();
        }
    }

    /// Waits as the supervisor. Without timeouts: a notification that is missing is a deadlock, which loom reports.
    pub(crate) fn wait_until(&self, holds: impl Fn(&mut State<Numbers>) -> bool) {
        let mut state = self.lock();
        while !holds(&mut state) {
            state = self.supervisor.wait(state).unwrap();
        }
    }

    /// Waits as the writer thread.
    pub(crate) fn wait_for_messages(&self) {
        let mut state = self.lock();
        while !state.queue().needs_writer() {
            state = self.writer.wait(state).unwrap();
        }
    }

    pub(crate) fn flush(&self) {
        let mut next = self.with(|state| state.queue().take());
        while let Some(batch) = next {
            self.received.lock().unwrap().extend(&batch);
            self.with(|state| state.wrote(batch.len()));
            next = self.with(|state| {
                state.finish_write(batch, true);
                state.queue().take()
            });
        }
    }

    pub(crate) fn release(&self) {
        *self.released.0.lock().unwrap() = true;
        self.released.1.notify_one();
    }

    pub(crate) fn wait_for_release(&self) {
        let mut released = self.released.0.lock().unwrap();
        while !*released {
            released = self.released.1.wait(released).unwrap();
        }
    }

    /// Adds the reply to a call.
    pub(crate) fn push(&self, call: u8) {
        self.with(|state| state.queue().push(|bytes| bytes.push(call)));
    }

    /// Returns the numbers of the calls whose replies were received, in order.
    pub(crate) fn received(&self) -> Vec<u8> {
        let mut calls = mem::take(&mut *self.received.lock().unwrap());
        calls.retain(|byte| *byte != b'\n');
        calls.sort_unstable();
        calls
    }

    fn lock(&self) -> MutexGuard<'_, State<Numbers>> {
        self.state.lock().unwrap()
    }
}
