//! Measures one call at a time.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::plan::Amount;
use super::served::Served;
use crate::pending::Replies;
use crate::statistics::quantile;
use crate::work::Work;

/// The time of one call, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latency {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) mean: f64,
    /// Processor time of the server.
    pub(crate) cpu: f64,
}

/// The minimum number of calls.
const FEWEST: usize = 10;

impl Served {
    /// Sends a request, waits for the response and checks it, repeatedly.
    pub(crate) fn one_at_a_time(&mut self, work: &Work<'_>, amount: Amount) -> Result<Latency> {
        self.warm_up(work, amount)?;
        let (start, before) = (Instant::now(), self.process.cpu()?);
        let mut times = Vec::with_capacity(amount.calls);
        while times.len() < amount.calls && (times.len() < FEWEST || start.elapsed() < amount.time) {
            times.push(self.round_trip(work)?.as_nanos() as f64);
        }
        let cpu = self.process.cpu()?.saturating_sub(before).as_nanos() as f64 / times.len() as f64;
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        times.sort_by(f64::total_cmp);
        let [p50, p99] = [0.5, 0.99].map(|share| quantile(&times, share).unwrap_or(f64::NAN));
        self.pace.get_or_insert(Duration::from_nanos(p50 as u64));
        Ok(Latency { p50, p99, mean, cpu })
    }

    /// Makes some calls first, which fill caches and start threads and do not count.
    pub(super) fn warm_up(&mut self, work: &Work<'_>, amount: Amount) -> Result<()> {
        let start = Instant::now();
        for _ in 0..amount.calls.div_ceil(20).min(200) {
            self.round_trip(work)?;
            if start.elapsed() > amount.time / 2 {
                break;
            }
        }
        Ok(())
    }

    /// Only the wait for the response counts, not building the request or checking the response.
    pub(crate) fn round_trip(&mut self, work: &Work<'_>) -> Result<Duration> {
        let id = self.next_id;
        self.next_id += 1;
        let request = work.request(self.dialect, id);
        let mut replies = Replies::new(id..id + 1, false);
        self.process.forget();
        let start = Instant::now();
        self.process.send(request.as_bytes())?;
        loop {
            let line = self.process.line()?;
            let took = start.elapsed();
            if replies.take(work, self.process.bytes(line))? {
                return Ok(took);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::shell::{HONEST, liar, server};
    use super::*;
    use crate::contender::Contender;
    use crate::fault::Fault;

    fn measure(server: &Contender) -> Result<Latency> {
        let amount = Amount { calls: 20, time: Duration::from_secs(60) };
        Served::start(server)?.one_at_a_time(&Work::Add("add"), amount)
    }

    #[test]
    fn an_honest_server_is_measured() {
        let latency = measure(&server(HONEST)).unwrap();
        assert!(latency.p50 > 0.0 && latency.p50 <= latency.p99 && latency.cpu > 0.0, "{latency:?}");
    }

    #[test]
    fn a_server_that_lies_only_once_is_caught() {
        let error = measure(&liar("* 7 + 1", "* 7 + 1 + id / 15")).unwrap_err();
        assert!(matches!(error.downcast_ref(), Some(Fault::Answer { id: 15, .. })), "{error}");
    }
}
