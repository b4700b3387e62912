//! Measures many pending calls.

use std::time::Instant;

use anyhow::Result;

use super::served::Served;
use crate::pending::Replies;
use crate::work::Work;

/// The cost of each of many calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// In nanoseconds.
    pub(crate) call: f64,
    /// Processor time of the server.
    pub(crate) cpu: f64,
    pub(crate) refused: usize,
}

impl Served {
    /// Sends calls, with at most `window` pending at a time, and checks every response.
    ///
    /// A call is over when its reply is read. Replies are counted while the time runs, and checked after.
    pub(crate) fn fly(&mut self, work: &Work<'_>, calls: usize, window: usize) -> Result<Flight> {
        let ids = self.next_id..self.next_id + calls as u64;
        self.next_id = ids.end;
        let (mut requests, mut ends) = (Vec::new(), vec![0]);
        for id in ids.clone() {
            requests.extend_from_slice(work.request(self.dialect, id).as_bytes());
            ends.push(requests.len());
        }
        let mut replies = Replies::new(ids, self.may_refuse);
        self.process.forget();
        let (mut sent, mut answered) = (0, 0);
        let (start, before) = (Instant::now(), self.process.cpu()?);
        let mut took = start.elapsed();
        while answered < calls {
            while answered < calls {
                let allowed = ends[(answered + window).min(calls)];
                if sent < allowed {
                    sent += self.process.offer(&requests[sent..allowed])?;
                }
                let read = self.process.wait(sent < allowed)?;
                answered += memchr::memchr_iter(b'\n', self.process.bytes(read)).count();
            }
            took = start.elapsed();
            // Notifications were counted as responses, so wait for as many more.
            while let Some(line) = self.process.line_here() {
                replies.take(work, self.process.bytes(line))?;
            }
            answered = replies.answered();
        }
        let cpu = self.process.cpu()?.saturating_sub(before);
        let each = |nanoseconds: u128| nanoseconds as f64 / calls as f64;
        Ok(Flight { call: each(took.as_nanos()), cpu: each(cpu.as_nanos()), refused: replies.close()? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::shell::{CORRECT, incorrect, server};
    use super::*;
    use crate::contender::Contender;
    use crate::fault::Fault;

    const ADD: Work<'static> = Work::Add("add");

    fn fly(server: &Contender, window: usize) -> Result<Flight> {
        Served::start(server)?.fly(&ADD, 200, window)
    }

    #[test]
    fn an_honest_server_is_measured_with_any_window() {
        for window in [1, 7, 200, 1000] {
            let flight = fly(&server(CORRECT), window).unwrap();
            assert!(flight.call > 0.0 && flight.refused == 0, "{flight:?}");
        }
    }

    #[test]
    fn what_a_server_sends_unasked_is_not_a_reply() {
        let chatty = incorrect("id=$((id + 1))", "echo '{\"method\":\"notifications/message\"}'; id=$((id + 1))");
        let mut served = Served::start(&chatty).unwrap();
        assert_eq!(served.fly(&ADD, 50, 10).unwrap().refused, 0);
    }

    #[test]
    fn a_wrong_sum_and_a_reply_that_comes_twice_are_caught() {
        let error = fly(&incorrect("sum=$((id", "sum=$((id / 200 + id"), 64).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(Fault::Answer { id: 200, .. })), "{error}");
        let error = fly(&incorrect("id=$((id + 1))", "id=$((id + 1 - id / 100))"), 64).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(Fault::Twice { id: 100 })), "{error}");
    }
}
