//! Measures the cost of a call with more and more pending calls.

use std::collections::BTreeMap;

use anyhow::Result;

use super::plan::Plan;
use super::rotated;
use super::served::Served;
use crate::contender::Contender;
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;
use crate::work::Work;

/// Measures the cost of a call with more and more pending calls.
pub(crate) fn in_flight(contenders: &[Contender], plan: &Plan) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for round in 0..plan.rounds {
        say(format_args!("in flight: round {} of {}", round + 1, plan.rounds));
        for &window in &plan.windows {
            for place in rotated(contenders.len(), round) {
                let contender = &contenders[place];
                let mut served = Served::start(contender)?;
                served.one_at_a_time(&Work::Add("add"), plan.sequential)?;
                let most = plan.pipelined.calls.min(40_000.max(4 * window));
                let calls = served.fitting(most, plan.pipelined.time);
                let flight = served.fly(&Work::Add("add"), calls, window)?;
                let metrics = BTreeMap::from([(Metric::Call, flight.call), (Metric::CallCpu, flight.cpu)]);
                let (server, at) = (contender.key.to_owned(), window as u64);
                records.push(Record { server, round, at, metrics, ..Record::default() });
            }
        }
    }
    Ok(records)
}
