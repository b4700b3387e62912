//! Runs calls: on the leader while they are short, on the runtime otherwise.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mcp_core::transport::{Later, Response};

use crate::driver::host::{Step, poll_as_leader, run_as_leader};
use crate::driver::leader::Ticket;
use crate::driver::{Driver, LostLead, lock};
use crate::io::backpressure::with_backpressure;

impl Driver {
    /// Runs a call on this thread, or moves it to the runtime if it does not complete at once. Returns the number of queued
    /// bytes, or 1 if it is unknown.
    pub(crate) fn call(self: &Arc<Driver>, ticket: &mut Ticket, mut later: Later) -> Result<usize, LostLead> {
        if !self.reader_threads.has_standby() {
            // No other thread could replace this one, so it must not run anything that may take long.
            self.spawn(later);
            return Ok(1);
        }
        let lead = &self.host.lead;
        lead.start_work(ticket, &self.shutdown.wakeup);
        let step = poll_as_leader(ticket.epoch(), &mut later);
        if !lead.finish_work(ticket) {
            return Err(self.finish_after_losing_lead(step, later));
        }
        match step {
            Step::Done(response) => Ok(self.push(response)),
            Step::Pending => {
                self.spawn(later);
                Ok(1)
            }
            Step::Job(job) => {
                *lock(&self.running_call) = Some(later);
                lead.start_work(ticket, &self.shutdown.wakeup);
                run_as_leader(ticket.epoch(), job);
                if !lead.finish_work(ticket) {
                    // The watchdog moved the call to the runtime, and the end of the job has woken it there.
                    return Err(LostLead);
                }
                let later = lock(&self.running_call).take();
                Ok(later.map_or(1, |later| self.poll_after_job(later)))
            }
        }
    }

    /// Finishes a call during whose first poll this thread lost the lead.
    fn finish_after_losing_lead(self: &Arc<Driver>, step: Step, later: Later) -> LostLead {
        match step {
            Step::Done(response) => {
                self.push(response);
                self.host.output.flush();
                self.reply_done()
            }
            Step::Pending => {
                self.spawn(later);
                self.reply_done()
            }
            Step::Job(job) => {
                self.spawn(later);
                let lost = self.reply_done();
                job();
                lost
            }
        }
    }

    /// Polls a call again after its blocking function has returned.
    fn poll_after_job(self: &Arc<Driver>, mut later: Later) -> usize {
        // `u64::MAX` is never the current epoch, so another blocking function of the same call goes to the pool.
        match poll_as_leader(u64::MAX, &mut later) {
            Step::Done(response) => self.push(response),
            Step::Job(_) | Step::Pending => {
                self.spawn(later);
                1
            }
        }
    }

    /// Queues the reply, if there is one. Returns 1 without a reply, because the call may have queued progress
    /// notifications.
    fn push(&self, response: Option<Response>) -> usize {
        response.map_or(1, |response| self.host.output.push(&response))
    }

    /// Moves a call to the runtime.
    pub(crate) fn spawn(self: &Arc<Driver>, later: Later) {
        self.pending_replies.fetch_add(1, Ordering::AcqRel);
        let driver = self.clone();
        self.host.runtime().spawn(async move {
            let _pending = PendingReply(&driver);
            if let Some(response) = with_backpressure(later, || driver.host.output.room()).await {
                driver.host.output.push(&response);
                driver.host.output.flush_on_writer_thread();
            }
        });
    }
}

/// Counts a pending reply until it is dropped, also during a panic.
struct PendingReply<'a>(&'a Driver);

impl Drop for PendingReply<'_> {
    fn drop(&mut self) {
        self.0.reply_done();
    }
}
