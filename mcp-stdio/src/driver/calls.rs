//! Calls: in place while they are quick, on the runtime when they are not.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mcp_core::transport::{Later, Response};

use crate::driver::host::{Step, in_place, poll_in_place};
use crate::driver::leader::Ticket;
use crate::driver::{Deposed, Driver, lock};
use crate::io::backpressure::with_backpressure;

impl Driver {
    /// Makes the reply to a call, here if that is quick. Says how much is queued.
    pub(crate) fn call(self: &Arc<Driver>, ticket: &mut Ticket, mut later: Later) -> Result<usize, Deposed> {
        if !self.reader_threads.has_room() {
            // Nobody could take the lead from us, so we run nothing that may take long.
            self.spawn(later);
            return Ok(1);
        }
        let lead = &self.host.lead;
        lead.enter(ticket, &self.ending.wakeup);
        let step = poll_in_place(ticket.word(), &mut later);
        if !lead.leave(ticket) {
            return Err(self.finish_deposed(step, later));
        }
        match step {
            Step::Done(response) => Ok(self.push(response)),
            Step::Pending => {
                self.spawn(later);
                Ok(1)
            }
            Step::Job(job) => {
                *lock(&self.running) = Some(later);
                lead.enter(ticket, &self.ending.wakeup);
                in_place(ticket.word(), job);
                if !lead.leave(ticket) {
                    // The call went to the runtime with the lead, and our job has woken it.
                    return Err(Deposed);
                }
                let later = lock(&self.running).take();
                Ok(later.map_or(1, |later| self.conclude(later)))
            }
        }
    }

    /// Brings a call to its end whose poll has cost us the lead.
    fn finish_deposed(self: &Arc<Driver>, step: Step, later: Later) -> Deposed {
        match step {
            Step::Done(response) => {
                self.push(response);
                self.host.output.flush();
                self.no_longer_owed()
            }
            Step::Pending => {
                self.spawn(later);
                self.no_longer_owed()
            }
            Step::Job(job) => {
                self.spawn(later);
                let deposed = self.no_longer_owed();
                job();
                deposed
            }
        }
    }

    /// Makes the reply to a call whose plain function has returned.
    fn conclude(self: &Arc<Driver>, mut later: Later) -> usize {
        // Under a word that is never current: whatever else the call wants to run goes elsewhere.
        match poll_in_place(u64::MAX, &mut later) {
            Step::Done(response) => self.push(response),
            Step::Job(_) | Step::Pending => {
                self.spawn(later);
                1
            }
        }
    }

    /// Adds a reply to the queue, if there is one. Progress of the call may be queued in any case.
    fn push(&self, response: Option<Response>) -> usize {
        response.map_or(1, |response| self.host.output.push(&response))
    }

    /// Leaves a call to the runtime.
    pub(crate) fn spawn(self: &Arc<Driver>, later: Later) {
        self.owed.fetch_add(1, Ordering::AcqRel);
        let driver = self.clone();
        self.host.runtime().spawn(async move {
            let _owed = PendingReply(&driver);
            if let Some(response) = with_backpressure(later, || driver.host.output.room()).await {
                driver.host.output.push(&response);
                driver.host.output.flush_elsewhere();
            }
        });
    }
}

/// A reply that is owed until this is dropped, also by a panic.
struct PendingReply<'a>(&'a Driver);

impl Drop for PendingReply<'_> {
    fn drop(&mut self) {
        self.0.no_longer_owed();
    }
}
