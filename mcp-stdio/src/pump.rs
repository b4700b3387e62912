//! The thread that reads also runs the calls and writes the replies, for as long as it is quick about it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_core::{Later, Reply, Response, Session};

use crate::crew::Crew;
use crate::end::{End, Ending};
use crate::host::{RunHost, Step, in_place, poll_in_place};
use crate::input::Input;
use crate::lead::Ticket;

/// With this much queued, replies leave even though there is more to answer.
const FULL_BATCH: usize = 64 << 10;

/// A session between a descriptor to read and one to write.
///
/// One thread at a time leads: it reads a chunk, answers its messages in order, writes all replies at once, and reads on. A
/// call that is ready at once costs no other thread. When a call (or a write) takes longer than a tick of the
/// [watchdog](crate::watchdog), another thread of the [crew](Crew) takes the lead: it writes what was finished, and reads on.
#[derive(Debug)]
pub(crate) struct Pump {
    session: Session,
    host: Arc<RunHost>,
    /// Held by the leader while it reads; released before each call, with the rest of the chunk in it.
    input: Mutex<Input>,
    /// The call whose plain function the leader is running, for whoever takes the lead from it.
    call: Mutex<Option<Later>>,
    pub(crate) crew: Crew,
    /// Replies in the making outside of the leader's hands.
    owed: AtomicIsize,
    ending: Arc<Ending>,
}

/// What the leader does next.
enum Next {
    Call(Later),
    Flush,
    End(End),
}

/// The lead was lost meanwhile, and with it the right to read.
struct Deposed;

impl Pump {
    pub(crate) fn new(session: Session, host: Arc<RunHost>, input: Input, ending: Arc<Ending>) -> Arc<Pump> {
        let (input, call, owed) = (Mutex::new(input), Mutex::default(), AtomicIsize::new(0));
        Arc::new(Pump { session, host, input, call, crew: Crew::new(), owed, ending })
    }

    /// Reads, answers and writes until the lead is lost or the input ends.
    pub(crate) fn lead(self: &Arc<Pump>, mut ticket: Ticket) {
        // What the leader before us had finished leaves first.
        let mut unflushed = !self.host.output.is_empty();
        let mut runtime = None;
        loop {
            let outcome = match self.next(&mut unflushed) {
                Next::Call(later) => {
                    // Tools may use the runtime also in their first poll, which happens here.
                    runtime.get_or_insert_with(|| self.host.runtime().enter());
                    unflushed = true;
                    self.call(&mut ticket, later)
                }
                Next::Flush => {
                    unflushed = false;
                    self.flush(&mut ticket)
                }
                Next::End(end) => return self.ending.announce(end),
            };
            if outcome.is_err() {
                return;
            }
        }
    }

    /// Answers messages until one of them is a call, and reads when there are no more.
    ///
    /// The session receives under the lock of the input, so messages take effect in order of arrival.
    fn next(&self, unflushed: &mut bool) -> Next {
        let mut input = lock(&self.input);
        loop {
            if self.ending.began() {
                return Next::End(End::Input);
            }
            if *unflushed && self.host.output.is_overdue() {
                return Next::Flush;
            }
            match input.next() {
                Some(message) => match self.session.receive(message) {
                    Reply::None => {}
                    Reply::Later(later) => return Next::Call(later),
                    Reply::Now(response) => {
                        *unflushed = true;
                        if self.host.output.push(&response) > FULL_BATCH {
                            return Next::Flush;
                        }
                    }
                },
                None if *unflushed => return Next::Flush,
                None => {
                    if let ControlFlow::Break(end) = self.read(&mut input) {
                        return Next::End(end);
                    }
                }
            }
        }
    }

    fn read(&self, input: &mut Input) -> ControlFlow<End> {
        self.host.output.wait_for_room();
        if input.has_ended() {
            return ControlFlow::Break(End::Input);
        }
        input.read().map_or_else(|error| ControlFlow::Break(End::Read(error)), ControlFlow::Continue)
    }

    /// Writes the finished replies.
    fn flush(&self, ticket: &mut Ticket) -> Result<(), Deposed> {
        self.host.lead.enter(ticket, &self.ending.alarm);
        self.host.output.flush();
        if self.host.lead.leave(ticket) { Ok(()) } else { Err(self.no_longer_owed()) }
    }

    /// Makes the reply to a call, here if that is quick.
    fn call(self: &Arc<Pump>, ticket: &mut Ticket, mut later: Later) -> Result<(), Deposed> {
        if !self.crew.has_room() {
            // Nobody could take the lead from us, so we run nothing that may take long.
            self.spawn(later);
            return Ok(());
        }
        let lead = &self.host.lead;
        lead.enter(ticket, &self.ending.alarm);
        let step = poll_in_place(ticket.word(), &mut later);
        let leads = lead.leave(ticket);
        match step {
            Step::Done(response) if leads => self.push(response),
            Step::Done(response) => {
                self.push(response);
                self.host.output.flush();
            }
            Step::Pending => self.spawn(later),
            Step::Job(job) if leads => {
                *lock(&self.call) = Some(later);
                lead.enter(ticket, &self.ending.alarm);
                in_place(ticket.word(), job);
                if !lead.leave(ticket) {
                    // The call went to the runtime with the lead, and our job has woken it.
                    return Err(Deposed);
                }
                if let Some(later) = lock(&self.call).take() {
                    self.conclude(later);
                }
            }
            Step::Job(job) => {
                self.spawn(later);
                self.no_longer_owed();
                job();
                return Err(Deposed);
            }
        }
        if leads { Ok(()) } else { Err(self.no_longer_owed()) }
    }

    /// Makes the reply to a call whose plain function has returned.
    fn conclude(self: &Arc<Pump>, mut later: Later) {
        // Under a word that is never current: whatever else the call wants to run goes elsewhere.
        match poll_in_place(u64::MAX, &mut later) {
            Step::Done(response) => self.push(response),
            Step::Job(_) | Step::Pending => self.spawn(later),
        }
    }

    fn push(&self, response: Option<Response>) {
        if let Some(response) = response {
            self.host.output.push(&response);
        }
    }

    /// Leaves a call to the runtime.
    fn spawn(self: &Arc<Pump>, later: Later) {
        self.owed.fetch_add(1, Ordering::AcqRel);
        let pump = self.clone();
        self.host.runtime().spawn(async move {
            let _owed = Owed(&pump);
            if let Some(response) = later.await {
                pump.host.output.push(&response);
                pump.host.output.flush_elsewhere();
            }
        });
    }

    /// The leader was in the same thing for too long: gives the lead to another thread, if there still is need.
    pub(crate) fn promote(self: &Arc<Pump>, seen: u64) {
        if !self.crew.prepare(self) {
            return;
        }
        let Some(ticket) = self.host.lead.depose(seen) else {
            return;
        };
        match lock(&self.call).take() {
            // From now on its deadline, its cancellation and its reply are the runtime's business.
            Some(later) => self.spawn(later),
            None => {
                self.owed.fetch_add(1, Ordering::AcqRel);
            }
        }
        self.crew.hand_over(ticket);
    }

    fn no_longer_owed(&self) -> Deposed {
        self.owed.fetch_sub(1, Ordering::AcqRel);
        Deposed
    }

    /// Everything that was asked is answered, and the answers are written.
    pub(crate) fn is_idle(&self) -> bool {
        !crate::lead::is_busy(self.host.lead.look()) && self.owed.load(Ordering::Acquire) <= 0 && self.host.output.is_empty()
    }

    /// Nobody waits for replies any more.
    pub(crate) fn cancel_all(&self) {
        self.session.cancel_all();
    }

    pub(crate) fn host(&self) -> &RunHost {
        &self.host
    }

    pub(crate) fn ending(&self) -> &Ending {
        &self.ending
    }
}

/// A reply that is owed until this is dropped, also by a panic.
struct Owed<'a>(&'a Pump);

impl Drop for Owed<'_> {
    fn drop(&mut self) {
        self.0.no_longer_owed();
    }
}

/// Nothing panics while a lock is held, so a poisoned one is as good as new.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
