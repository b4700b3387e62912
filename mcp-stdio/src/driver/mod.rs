//! Runs a session on standard input and output for [`run`](crate::run).
//!
//! The thread that reads messages also runs the calls and writes the replies, as long as each step is short. See [`Driver`].

pub(crate) mod calls;
pub(crate) mod host;
pub(crate) mod leader;
pub(crate) mod reader_threads;
pub(crate) mod shutdown;
pub(crate) mod watchdog;

use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_core::transport::{Later, Reply, Session};

use crate::driver::host::RunHost;
use crate::driver::leader::Ticket;
use crate::driver::reader_threads::ReaderThreads;
use crate::driver::shutdown::{Shutdown, ShutdownReason};
use crate::io::input::Input;

/// Queued bytes above which replies are written even if more messages can be handled without reading.
const FULL_BATCH: usize = 48 << 10;

/// A session, its input, its output and the threads that drive it.
///
/// Exactly one thread at a time is the leader. It reads a chunk, handles the messages in order, writes all replies in one
/// write, and reads the next chunk. A call that completes in its first poll needs no other thread. When a call or a write
/// takes longer than a tick of the [watchdog], another of the [reader threads](ReaderThreads) becomes the leader: it writes
/// the finished replies and continues to read.
#[derive(Debug)]
pub(crate) struct Driver {
    session: Session,
    pub(crate) host: Arc<RunHost>,
    /// Locked by the leader while it reads, and unlocked before each call. The unread rest of the chunk stays inside, so
    /// that the next leader continues at the next message.
    input: Mutex<Input>,
    /// The first call, if it was read on the main thread before the first leader started.
    pub(crate) first_call: Mutex<Option<Later>>,
    /// The call whose blocking function the leader is running. The watchdog moves it to the runtime when it replaces the
    /// leader.
    pub(crate) running_call: Mutex<Option<Later>>,
    pub(crate) reader_threads: ReaderThreads,
    /// Number of pending replies on threads other than the leader. It is signed because a thread that lost the lead may
    /// decrement it before the watchdog increments it.
    pub(crate) pending_replies: AtomicIsize,
    pub(crate) shutdown: Arc<Shutdown>,
}

/// The next step of the leader.
pub(crate) enum Next {
    Call(Later),
    Flush,
    Shutdown(ShutdownReason),
}

/// The watchdog replaced this thread as the leader during its last step. The thread must not read any more.
#[derive(Debug)]
pub(crate) struct LostLead;

impl Driver {
    pub(crate) fn new(session: Session, host: Arc<RunHost>, input: Input, shutdown: Arc<Shutdown>) -> Arc<Driver> {
        let (input, first_call, running_call) = (Mutex::new(input), Mutex::default(), Mutex::default());
        Arc::new(Driver {
            session,
            host,
            input,
            first_call,
            running_call,
            reader_threads: ReaderThreads::new(),
            pending_replies: AtomicIsize::new(0),
            shutdown,
        })
    }

    /// Reads, handles and replies to messages until this thread loses the lead or the input ends.
    pub(crate) fn lead(self: &Arc<Driver>, mut ticket: Ticket) {
        // Queued bytes, as far as this thread knows. Replies that the previous leader finished are written first.
        let mut backlog = usize::from(!self.host.output.is_empty());
        let mut runtime = None;
        let mut first_call = lock(&self.first_call).take().map(Next::Call);
        loop {
            let outcome = match first_call.take().unwrap_or_else(|| self.next_step(&mut backlog, |input| input.read_chunk()))
            {
                Next::Call(later) => {
                    // The first poll of a call runs on this thread, and tools may use the runtime in it.
                    runtime.get_or_insert_with(|| self.host.runtime().enter());
                    self.call(&mut ticket, later)
                }
                Next::Flush => self.flush(&mut ticket),
                Next::Shutdown(end) => return self.shutdown.request(end),
            };
            match outcome {
                Ok(known) => backlog = known,
                Err(LostLead) => return,
            }
        }
    }

    /// Handles messages until one of them is a call, the output has to be flushed, or the server shuts down. Reads a chunk
    /// when no complete message is left.
    ///
    /// The session receives each message while the input is locked, so messages take effect in order of arrival.
    pub(crate) fn next_step(
        &self,
        backlog: &mut usize,
        mut read: impl FnMut(&mut Input) -> Result<(), ShutdownReason>,
    ) -> Next {
        let mut input = lock(&self.input);
        loop {
            if self.shutdown.is_requested() {
                return Next::Shutdown(ShutdownReason::Input);
            }
            if *backlog > FULL_BATCH || *backlog > 0 && self.host.output.flush_is_due() {
                return Next::Flush;
            }
            match input.next() {
                Some(message) => match self.session.receive(message) {
                    Reply::None => {}
                    Reply::Later(later) => return Next::Call(later),
                    Reply::Now(response) => *backlog = self.host.output.push(&response),
                },
                None => {
                    // If more input is available, the client is not waiting for the replies yet: handle it first and write
                    // all replies together.
                    if *backlog > 0 && !input.has_more() {
                        return Next::Flush;
                    }
                    if let Err(end) = read(&mut input) {
                        return Next::Shutdown(end);
                    }
                }
            }
        }
    }

    /// Writes the queued replies. Returns 0, the number of bytes that are left to flush.
    fn flush(&self, ticket: &mut Ticket) -> Result<usize, LostLead> {
        if self.reader_threads.has_standby() {
            self.host.lead.start_write(ticket, &self.shutdown.wakeup);
            self.host.output.flush();
            if !self.host.lead.finish_write(ticket) {
                return Err(self.reply_done());
            }
        } else {
            // No other thread could replace this one, so it must not block in a write.
            self.host.output.flush_on_writer_thread();
        }
        // Another thread may be blocked in a write while the queue is over its limit.
        self.host.output.wait_for_room();
        Ok(0)
    }

    /// Replaces a leader that has been in the same step, `seen`, for too long. Does nothing if that step has ended meanwhile
    /// or if no other thread is available.
    pub(crate) fn replace_leader(self: &Arc<Driver>, seen: u64) {
        if !self.reader_threads.ensure_standby(self) {
            return;
        }
        let Some(ticket) = self.host.lead.take_over(seen) else {
            return;
        };
        match lock(&self.running_call).take() {
            // The runtime now polls the call: it handles the deadline, the cancellation and the reply.
            Some(later) => self.spawn(later),
            None => {
                self.pending_replies.fetch_add(1, Ordering::AcqRel);
            }
        }
        self.reader_threads.hand_over(ticket);
    }

    pub(crate) fn reply_done(&self) -> LostLead {
        self.pending_replies.fetch_sub(1, Ordering::AcqRel);
        LostLead
    }

    /// Returns whether every request is answered and every reply is written.
    pub(crate) fn is_idle(&self) -> bool {
        !crate::driver::leader::is_busy(self.host.lead.epoch())
            && self.pending_replies.load(Ordering::Acquire) <= 0
            && self.host.output.is_empty()
    }

    /// Cancels all calls in flight.
    pub(crate) fn cancel_all(&self) {
        self.session.cancel_all();
    }
}

/// Locks a mutex. Poisoning is ignored: no code panics while it holds one of these locks, so the data is consistent.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
