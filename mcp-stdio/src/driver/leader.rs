//! The leader: reads messages, handles them, and writes the replies.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::thread;
use std::time::Instant;

use mcp_core::transport::{Job, Later, Reply, Response};

use crate::driver::Driver;
use crate::driver::state::{State, Work};
use crate::driver::supervisor::TICK;
use crate::io::input::Input;

/// The number of queued bytes above which replies are written even if the chunk has more messages.
const FULL_BATCH: usize = 48 << 10;

impl Driver {
    /// Leads until the input ends or this thread is replaced.
    pub(crate) fn lead(self: &Arc<Driver>, input: Box<Input>) {
        // Replies that the previous leader has queued go first, then the rest of its chunk.
        let mut next = self.flush(input);
        while let Some(input) = next {
            let Some(input) = self.handle_messages(input).and_then(|input| self.flush(input)) else {
                return;
            };
            next = self.read(input);
        }
    }

    /// Reads a chunk. Returns `None` if nothing is read any more.
    fn read(&self, mut input: Box<Input>) -> Option<Box<Input>> {
        if !self.shared.with(State::begin_read) {
            return None;
        }
        match input.read_chunk() {
            Ok(()) => self.shared.with(State::end_read).then_some(input),
            Err(reason) => {
                self.stop_reading(reason);
                None
            }
        }
    }

    /// Handles the messages of the chunk. Returns `None` if this thread was replaced.
    ///
    /// The session receives each message while this thread has the input, so messages take effect in order of arrival.
    fn handle_messages(self: &Arc<Driver>, mut input: Box<Input>) -> Option<Box<Input>> {
        let mut last_flush = Instant::now();
        while let Some(message) = input.next() {
            let queued = match self.session.receive(message) {
                Reply::None => 0,
                Reply::Now(response) => self.shared.with(|state| state.queue().push(|bytes| response.encode(bytes))),
                Reply::Later(later) => {
                    input = self.call(input, later)?;
                    self.shared.with(|state| state.queue().queued())
                }
            };
            // Finished replies do not wait for the rest of the chunk for long.
            if queued > FULL_BATCH || queued > 0 && last_flush.elapsed() > TICK {
                input = self.flush(input)?;
                last_flush = Instant::now();
            }
        }
        Some(input)
    }

    /// Runs a call on this thread, or moves it to the runtime if it does not complete at once. Returns `None` if this thread
    /// was replaced.
    fn call(self: &Arc<Driver>, mut input: Box<Input>, mut later: Later) -> Option<Box<Input>> {
        // The first poll of a call runs on this thread, and tools may use the runtime in it.
        let _context = self.host.runtime().enter();
        let me = thread::current().id();
        loop {
            if let Err((input, _)) = self.shared.with(|state| state.begin(me, input, Work::Poll(None))) {
                self.spawn(later);
                return Some(input);
            }
            // The waker does nothing: a call that is still pending is polled again here or by its task.
            let poll = Pin::new(&mut later).poll(&mut Context::from_waker(Waker::noop()));
            let ended = self.shared.with(|state| {
                if let Poll::Ready(Some(response)) = &poll {
                    state.queue().push(|bytes| response.encode(bytes));
                }
                state.end(&me)
            });
            match (poll, ended) {
                (Poll::Ready(_), Some((input, _))) => return Some(input),
                (Poll::Pending, Some((back, Work::Poll(Some(job))))) => (input, later) = self.run_job(back, later, job)?,
                (Poll::Pending, Some((input, _))) => {
                    self.spawn(later);
                    return Some(input);
                }
                (poll, None) => {
                    match poll {
                        Poll::Ready(_) => self.shared.flush(),
                        Poll::Pending => self.spawn(later),
                    }
                    self.shared.with(State::reply_done);
                    return None;
                }
            }
        }
    }

    /// Runs the blocking function of a call. Returns `None` if this thread was replaced: then the call was moved to the
    /// runtime, which is woken by the result of the function.
    fn run_job(self: &Arc<Driver>, input: Box<Input>, later: Later, job: Job) -> Option<(Box<Input>, Later)> {
        let me = thread::current().id();
        match self.shared.with(|state| state.begin(me, input, Work::RunJob(later))) {
            Ok(()) => job(),
            Err((input, Work::RunJob(later))) => {
                self.host.run_on_pool(job);
                return Some((input, later));
            }
            Err(_) => unreachable!("the work is given back"),
        }
        match self.shared.with(|state| state.end(&me)) {
            Some((input, Work::RunJob(later))) => Some((input, later)),
            _ => None,
        }
    }

    /// Writes the queued messages, and waits until the queue has room. Returns `None` if this thread was replaced.
    fn flush(&self, input: Box<Input>) -> Option<Box<Input>> {
        enum Flush {
            Nothing(Box<Input>),
            Here,
            Elsewhere(Box<Input>),
        }
        let me = thread::current().id();
        let flush = self.shared.with(|state| match state.queue().needs_writer() {
            false => Flush::Nothing(input),
            true => match state.begin(me, input, Work::Write) {
                Ok(()) => Flush::Here,
                Err((input, _)) => Flush::Elsewhere(input),
            },
        });
        let input = match flush {
            Flush::Nothing(input) => input,
            Flush::Elsewhere(input) => {
                // No other thread could replace this one, so it must not block in a write.
                self.shared.flush_on_writer_thread();
                input
            }
            Flush::Here => {
                self.shared.flush();
                let ended = self.shared.with(|state| {
                    let ended = state.end(&me);
                    if ended.is_none() {
                        state.reply_done();
                    }
                    ended
                });
                ended?.0
            }
        };
        // Another thread may be writing while the queue is over its limit.
        self.shared.wait_for_room();
        Some(input)
    }

    /// Moves a call to the runtime.
    fn spawn(self: &Arc<Driver>, later: Later) {
        self.shared.with(State::reply_pending);
        self.spawn_pending(later);
    }

    /// Runs a call, whose reply counts as pending already, on the runtime. It proceeds only while the queue has room: results
    /// of many calls would otherwise fill the memory while the client does not read.
    pub(crate) fn spawn_pending(self: &Arc<Driver>, mut later: Later) {
        let driver = self.clone();
        self.host.runtime().spawn(async move {
            let _pending = PendingReply(&driver);
            let call = poll_fn(|task| {
                ready!(driver.shared.with(|state| state.queue().poll_room(task)));
                Pin::new(&mut later).poll(task)
            });
            if let Some(response) = call.await {
                driver.send_from_task(&response);
            }
        });
    }

    fn send_from_task(&self, response: &Response) {
        self.shared.with(|state| state.queue().push(|bytes| response.encode(bytes)));
        self.shared.flush_on_writer_thread();
    }
}

/// Counts a pending reply until it is dropped, also if the task is dropped or panics.
struct PendingReply<'a>(&'a Driver);

impl Drop for PendingReply<'_> {
    fn drop(&mut self) {
        self.0.shared.with(State::reply_done);
    }
}
