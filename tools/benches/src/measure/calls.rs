//! Measures calls one at a time and many at once, one server after the other.

use std::collections::BTreeMap;
use std::mem;
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::latency::Latency;
use super::plan::Plan;
use super::rotated;
use super::served::Served;
use super::tools::MANY;
use crate::affinity::Pinned;
use crate::contender::{self, Contender};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;
use crate::work::{Payload, Work};

/// The pause after the handshake, until the threads of the server are idle.
const REST: Duration = Duration::from_millis(100);

/// Measures the calls of all servers. In a round each is alone while it is measured: what waits beside it, such as the
/// collectors and timers of Node and Python, would keep a processor awake and decide where the others run.
pub(crate) fn calls(contenders: &[Contender], plan: &Plan) -> Result<Vec<Record>> {
    let payload = Payload::new(plan.payload);
    let mut records = Vec::new();
    for round in 0..plan.rounds {
        for pinned in [false, true] {
            say(format_args!("calls: round {} of {}{}", round + 1, plan.rounds, if pinned { ", pinned" } else { "" }));
            let _pinned = pinned.then(Pinned::new).transpose()?;
            for place in rotated(contenders.len(), round) {
                let mut lane = Lane::new(&contenders[place], round, pinned);
                KINDS.into_iter().for_each(|kind| lane.run(kind, plan, &payload));
                records.push(lane.record);
            }
        }
    }
    Ok(records)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    AddSync,
    Lasting,
    Search,
    List,
    Flight,
    Pipelined,
    Echo,
}

const KINDS: [Kind; 8] =
    [Kind::Add, Kind::AddSync, Kind::Lasting, Kind::Search, Kind::List, Kind::Flight, Kind::Pipelined, Kind::Echo];

/// One server in one round. It gets no more requests after a fault.
struct Lane<'a> {
    contender: &'a Contender,
    state: State,
    /// The time of one call, if it was measured before.
    pace: Option<Duration>,
    record: Record,
}

enum State {
    Ready,
    Served(Box<Served>),
    Faulty,
}

impl<'a> Lane<'a> {
    fn new(contender: &'a Contender, round: usize, pinned: bool) -> Lane<'a> {
        let record = Record { server: contender.key.to_owned(), round, pinned, ..Record::default() };
        Lane { contender, state: State::Ready, pace: None, record }
    }

    fn run(&mut self, kind: Kind, plan: &Plan, payload: &Payload) {
        if !applies(kind, self.contender) {
            return;
        }
        let mut served = match mem::replace(&mut self.state, State::Faulty) {
            State::Ready => match self.start() {
                Ok(served) => served,
                Err(error) => return self.note(&error),
            },
            State::Served(served) => *served,
            State::Faulty => return,
        };
        match measure(kind, self.contender, &mut served, plan, payload) {
            Ok(metrics) => self.record.metrics.extend(metrics),
            Err(error) => return self.note(&error),
        }
        self.pace = served.pace;
        self.state = match self.contender.kind {
            // It starts slowly and needs many calls to warm up.
            contender::Kind::Interpreted => State::Served(Box::new(served)),
            // Each measurement has the same initial state: earlier load affects on which processor the scheduler runs a process.
            _ => State::Ready,
        };
    }

    fn start(&self) -> Result<Served> {
        let mut served = rested(self.contender)?;
        served.pace = self.pace;
        Ok(served)
    }

    fn note(&mut self, error: &anyhow::Error) {
        say(format_args!("{}: {error:#}", self.contender.key));
        self.record.error = Some(format!("{error:#}"));
    }
}

/// A server that was started and is idle.
fn rested(contender: &Contender) -> Result<Served> {
    let served = Served::start(contender)?;
    thread::sleep(REST);
    Ok(served)
}

/// Whether that is measured of that server.
fn applies(kind: Kind, contender: &Contender) -> bool {
    match kind {
        Kind::AddSync => contender.has_add_sync(),
        Kind::Search => contender.has_structured_output(),
        Kind::Lasting => matches!(contender.kind, contender::Kind::Floor | contender::Kind::Ours),
        _ => true,
    }
}

type Metrics = BTreeMap<Metric, f64>;

fn measure(kind: Kind, contender: &Contender, served: &mut Served, plan: &Plan, payload: &Payload) -> Result<Metrics> {
    let with = |p50, cpu, latency: Latency| BTreeMap::from([(p50, latency.p50), (cpu, latency.cpu)]);
    Ok(match kind {
        Kind::Add => {
            let latency = served.one_at_a_time(&Work::Add("add"), plan.sequential)?;
            let mut metrics = with(Metric::SequentialP50, Metric::SequentialCpu, latency);
            metrics.insert(Metric::SequentialP99, latency.p99);
            metrics
        }
        Kind::AddSync => {
            let latency = served.one_at_a_time(&Work::Add("add_sync"), plan.sequential)?;
            with(Metric::SyncP50, Metric::SyncCpu, latency)
        }
        Kind::Lasting => {
            let latency = served.one_at_a_time(&Work::Add("add"), plan.lasting)?;
            BTreeMap::from([(Metric::LastingMean, latency.mean)])
        }
        Kind::Search => with(Metric::SearchP50, Metric::SearchCpu, served.one_at_a_time(&Work::Search, plan.sequential)?),
        Kind::List => match contender.with_tools(MANY) {
            Some(many) => {
                let latency = rested(&many)?.one_at_a_time(&Work::List(MANY), plan.sequential)?;
                BTreeMap::from([(Metric::ListP50, latency.p50)])
            }
            None => Metrics::new(),
        },
        Kind::Flight => {
            let calls = served.fitting(plan.flight.calls, plan.flight.time);
            served.warm_up(&Work::Add("add"), plan.sequential)?;
            let flight = served.fly(&Work::Add("add"), calls, 64)?;
            BTreeMap::from([(Metric::Flight, flight.call), (Metric::FlightCpu, flight.cpu)])
        }
        Kind::Pipelined => {
            let calls = served.fitting(plan.pipelined.calls, plan.pipelined.time);
            served.warm_up(&Work::Add("add"), plan.sequential)?;
            let flight = served.fly(&Work::Add("add"), calls, calls)?;
            BTreeMap::from([
                (Metric::Pipelined, flight.call),
                (Metric::PipelinedCpu, flight.cpu),
                (Metric::PipelinedCalls, calls as f64),
                (Metric::Refused, flight.refused as f64),
            ])
        }
        Kind::Echo => {
            let latency = served.one_at_a_time(&Work::Echo(payload), plan.echo)?;
            BTreeMap::from([(Metric::EchoP50, latency.p50)])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::shell::{CORRECT, incorrect, server};
    use super::*;

    #[test]
    fn only_a_server_with_a_fault_has_no_measurements() {
        let with_fault = incorrect("sum=$((id", "sum=$((1 + id");
        let records = calls(&[with_fault, server(CORRECT)], &Plan { rounds: 1, ..Plan::smoke() }).unwrap();
        let [fault, correct] = [&records[0], &records[1]];
        assert!(fault.metrics.is_empty() && fault.error.as_ref().unwrap().contains("wrong result"), "{fault:?}");
        // The shell server has no `search`, so its later measurements are missing.
        assert!(correct.metrics.contains_key(&Metric::SequentialP50) && correct.error.is_some(), "{correct:?}");
    }
}
