//! The thread that reads also runs the calls and writes the replies, for as long as it is quick about it.

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

/// With this much queued, replies leave even though there is more to answer.
const FULL_BATCH: usize = 48 << 10;

/// A session between a descriptor to read and one to write.
///
/// One thread at a time leads: it reads what there is, answers the messages in order, writes all replies at once, and reads on. A
/// call that is ready at once costs no other thread. When a call (or a write) takes longer than a tick of the
/// [watchdog](crate::driver::watchdog), another thread of the [crew](ReaderThreads) takes the lead: it writes what was finished, and reads on.
#[derive(Debug)]
pub(crate) struct Driver {
    session: Session,
    pub(crate) host: Arc<RunHost>,
    /// Held by the leader while it reads; released before each call, with the rest of the chunk in it.
    input: Mutex<Input>,
    /// The call that was read before there was a leader, for the first one.
    pub(crate) first: Mutex<Option<Later>>,
    /// The call whose plain function the leader is running, for whoever takes the lead from it.
    pub(crate) running: Mutex<Option<Later>>,
    pub(crate) reader_threads: ReaderThreads,
    /// Replies in the making outside of the leader's hands.
    pub(crate) owed: AtomicIsize,
    pub(crate) ending: Arc<Shutdown>,
}

/// What the leader does next.
pub(crate) enum Next {
    Call(Later),
    Flush,
    ShutdownReason(ShutdownReason),
}

/// The lead was lost meanwhile, and with it the right to read.
#[derive(Debug)]
pub(crate) struct Deposed;

impl Driver {
    pub(crate) fn new(session: Session, host: Arc<RunHost>, input: Input, ending: Arc<Shutdown>) -> Arc<Driver> {
        let (input, first, running) = (Mutex::new(input), Mutex::default(), Mutex::default());
        Arc::new(Driver {
            session,
            host,
            input,
            first,
            running,
            reader_threads: ReaderThreads::new(),
            owed: AtomicIsize::new(0),
            ending,
        })
    }

    /// Reads, answers and writes until the lead is lost or the input ends.
    pub(crate) fn lead(self: &Arc<Driver>, mut ticket: Ticket) {
        // How much we know to be queued. What the leader before us had finished leaves first.
        let mut backlog = usize::from(!self.host.output.is_empty());
        let mut runtime = None;
        let mut first = lock(&self.first).take().map(Next::Call);
        loop {
            let outcome = match first.take().unwrap_or_else(|| self.next(&mut backlog, |input| input.read_on())) {
                Next::Call(later) => {
                    // Tools may use the runtime also in their first poll, which happens here.
                    runtime.get_or_insert_with(|| self.host.runtime().enter());
                    self.call(&mut ticket, later)
                }
                Next::Flush => self.flush(&mut ticket),
                Next::ShutdownReason(end) => return self.ending.announce(end),
            };
            match outcome {
                Ok(known) => backlog = known,
                Err(Deposed) => return,
            }
        }
    }

    /// Answers messages until one of them is a call, and reads when there are no more.
    ///
    /// The session receives under the lock of the input, so messages take effect in order of arrival.
    pub(crate) fn next(&self, backlog: &mut usize, mut read: impl FnMut(&mut Input) -> Result<(), ShutdownReason>) -> Next {
        let mut input = lock(&self.input);
        loop {
            if self.ending.began() {
                return Next::ShutdownReason(ShutdownReason::Input);
            }
            if *backlog > FULL_BATCH || *backlog > 0 && self.host.output.is_overdue() {
                return Next::Flush;
            }
            match input.next() {
                Some(message) => match self.session.receive(message) {
                    Reply::None => {}
                    Reply::Later(later) => return Next::Call(later),
                    Reply::Now(response) => *backlog = self.host.output.push(&response),
                },
                None => {
                    // A client that has written more meanwhile does not wait for the replies yet.
                    if *backlog > 0 && !input.goes_on() {
                        return Next::Flush;
                    }
                    if let Err(end) = read(&mut input) {
                        return Next::ShutdownReason(end);
                    }
                }
            }
        }
    }

    /// Writes the finished replies. Afterwards nothing is left to be flushed by us.
    fn flush(&self, ticket: &mut Ticket) -> Result<usize, Deposed> {
        if self.reader_threads.has_room() {
            self.host.lead.enter_write(ticket, &self.ending.wakeup);
            self.host.output.flush();
            if !self.host.lead.leave_write(ticket) {
                return Err(self.no_longer_owed());
            }
        } else {
            // Nobody could take the lead from us, so we do nothing that may take long.
            self.host.output.flush_elsewhere();
        }
        // Somebody else may be stuck in a write.
        self.host.output.wait_for_room();
        Ok(0)
    }

    /// The leader was in the same thing for too long: gives the lead to another thread, if there still is need.
    pub(crate) fn promote(self: &Arc<Driver>, seen: u64) {
        if !self.reader_threads.prepare(self) {
            return;
        }
        let Some(ticket) = self.host.lead.depose(seen) else {
            return;
        };
        match lock(&self.running).take() {
            // From now on its deadline, its cancellation and its reply are the runtime's business.
            Some(later) => self.spawn(later),
            None => {
                self.owed.fetch_add(1, Ordering::AcqRel);
            }
        }
        self.reader_threads.hand_over(ticket);
    }

    pub(crate) fn no_longer_owed(&self) -> Deposed {
        self.owed.fetch_sub(1, Ordering::AcqRel);
        Deposed
    }

    /// Everything that was asked is answered, and the answers are written.
    pub(crate) fn is_idle(&self) -> bool {
        !crate::driver::leader::is_busy(self.host.lead.look())
            && self.owed.load(Ordering::Acquire) <= 0
            && self.host.output.is_empty()
    }

    /// Nobody waits for replies any more.
    pub(crate) fn cancel_all(&self) {
        self.session.cancel_all();
    }
}

/// Nothing panics while a lock is held, so a poisoned one is as good as new.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
