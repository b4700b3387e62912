//! The state of a driver behind its mutex, and the threads that wait for changes of it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use mcp_core::transport::{Job, Later};

use crate::driver::shutdown::ShutdownReason;
use crate::driver::state::{Parts, State, Turn};
use crate::io::input::Input;
use crate::io::streams::OutputStream;

/// The types of the driver of [`run`](crate::run).
#[derive(Debug)]
pub(crate) struct RunParts;

impl Parts for RunParts {
    type Thread = ThreadId;
    type Input = Box<Input>;
    type Call = Later;
    type Job = Job;
    type End = ShutdownReason;
}

/// The state, one condition variable for each kind of thread that waits for it, and the stream to the client.
#[derive(Debug)]
pub(crate) struct Shared {
    state: Mutex<State<RunParts>>,
    supervisor: Condvar,
    readers: Condvar,
    writer: Condvar,
    writer_thread: Once,
    stream: OutputStream,
}

impl Shared {
    pub(crate) fn new(state: State<RunParts>, stream: OutputStream) -> Shared {
        Shared {
            state: Mutex::new(state),
            supervisor: Condvar::new(),
            readers: Condvar::new(),
            writer: Condvar::new(),
            writer_thread: Once::new(),
            stream,
        }
    }

    /// Changes the state, and notifies the threads and tasks that wait for this change.
    pub(crate) fn with<T>(&self, transition: impl FnOnce(&mut State<RunParts>) -> T) -> T {
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

    /// Waits until this thread can become the leader, and returns the input. Returns `None` if nothing is read any more.
    pub(crate) fn wait_for_turn(&self) -> Option<Box<Input>> {
        let mut state = self.lock();
        loop {
            match state.next_turn() {
                Turn::Lead(input) => return Some(input),
                Turn::End => return None,
                Turn::Wait => state = self.readers.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Waits until the queue has room. For the leader, before it reads on.
    pub(crate) fn wait_for_room(&self) {
        drop(self.readers.wait_while(self.lock(), |state| state.leader_must_wait()));
    }

    /// Waits until the condition holds, or for this time. Returns whether it holds. For the supervisor.
    pub(crate) fn wait_until(&self, timeout: Option<Duration>, holds: impl Fn(&mut State<RunParts>) -> bool) -> bool {
        let waits = |state: &mut State<RunParts>| !holds(state);
        match timeout {
            None => drop(self.supervisor.wait_while(self.lock(), waits)),
            Some(timeout) => {
                let waited = self.supervisor.wait_timeout_while(self.lock(), timeout, waits);
                return !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out();
            }
        }
        true
    }

    /// Writes what is queued on this thread, until the queue is empty. Returns at once if another thread writes: that thread
    /// writes these messages too.
    pub(crate) fn flush(&self) {
        let mut next = self.with(|state| state.queue().take());
        while let Some(batch) = next {
            let outcome = self.stream.write_all(&batch, |length| self.with(|state| state.wrote(length)));
            next = self.with(|state| {
                state.finish_write(batch, outcome.is_ok());
                if let Err(error) = outcome {
                    state.request_shutdown(ShutdownReason::Write(error));
                }
                state.queue().take()
            });
        }
    }

    /// Lets the writer thread write what is queued: for tasks, which must not block.
    pub(crate) fn flush_on_writer_thread(self: &Arc<Shared>) {
        self.writer_thread.call_once(|| {
            let shared = self.clone();
            let started = thread::Builder::new().name("mcp-writer".into()).spawn(move || shared.run_writer_thread());
            if let Err(error) = started {
                self.with(|state| state.request_shutdown(ShutdownReason::Write(error)));
            }
        });
        self.with(State::request_writer);
    }

    fn run_writer_thread(&self) {
        loop {
            drop(self.writer.wait_while(self.lock(), |state| !state.queue().needs_writer()));
            self.flush();
        }
    }

    /// Locks the state. No code panics while it holds the lock, so poisoning can be ignored.
    fn lock(&self) -> MutexGuard<'_, State<RunParts>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
