//! Measures the time from the start of a process to its first response.

use std::collections::BTreeMap;

use anyhow::Result;

use super::plan::Plan;
use super::rotated;
use super::served::Served;
use crate::contender::{Contender, Kind};
use crate::dialect::Dialect;
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// Starts servers repeatedly, each in the revisions that it supports.
pub(crate) fn starts(contenders: &[Contender], plan: &Plan) -> Result<Vec<Record>> {
    let spoken: Vec<Vec<Dialect>> = contenders.iter().map(dialects).collect();
    let mut records = Vec::new();
    let [often, rarely] = plan.starts;
    say(format_args!("starts: {often} of each server"));
    for round in 0..often {
        for place in rotated(contenders.len(), round) {
            let contender = &contenders[place];
            if contender.kind == Kind::Interpreted && round >= rarely {
                continue;
            }
            let mut metrics = BTreeMap::new();
            for &dialect in &spoken[place] {
                let (served, took) = Served::start_in(contender, dialect)?;
                drop(served);
                let metric = match dialect {
                    Dialect::Handshake => Metric::Initialize,
                    Dialect::Stateless => Metric::Discover,
                };
                metrics.insert(metric, took.as_nanos() as f64);
            }
            records.push(Record { server: contender.key.to_owned(), round, metrics, ..Record::default() });
        }
    }
    Ok(records)
}

/// The revisions in which a server answers. The attempt also loads its files into memory.
fn dialects(contender: &Contender) -> Vec<Dialect> {
    let speaks = |dialect: &Dialect| Served::start_in(contender, *dialect).is_ok();
    [Dialect::Handshake, Dialect::Stateless].into_iter().filter(speaks).collect()
}
