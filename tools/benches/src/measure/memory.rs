//! Measures the memory of a server, idle and while many calls are pipelined.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use super::plan::Plan;
use super::rotated;
use super::served::Served;
use crate::contender::{Contender, Kind};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;
use crate::work::Work;

/// The time limit. An interpreted server gets fewer calls.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Measures the memory of all servers. Nothing is timed here, so it can be looked at all the time.
pub(crate) fn memory(contenders: &[Contender], plan: &Plan) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for round in 0..plan.memory_rounds {
        for place in rotated(contenders.len(), round) {
            let contender = &contenders[place];
            // Servers that are not compared with the floor are measured once, because it takes minutes.
            if !held(contender) && round > 0 {
                continue;
            }
            say(format_args!("memory: {}, round {} of {}", contender.key, round + 1, plan.memory_rounds));
            let mut record = Record { server: contender.key.to_owned(), round, ..Record::default() };
            match measure(contender, plan) {
                Ok(metrics) => record.metrics = metrics,
                Err(error) => record.error = Some(format!("{error:#}")),
            }
            records.push(record);
        }
    }
    Ok(records)
}

fn measure(contender: &Contender, plan: &Plan) -> Result<BTreeMap<Metric, f64>> {
    let mut served = Served::start(contender)?;
    let pid = served.process.pid();
    let idle = settled(pid)?;
    let mut metrics = BTreeMap::from([(Metric::IdleAnonymous, idle.anonymous), (Metric::IdleResident, idle.resident)]);

    let add = Work::Add("add");
    let sample = super::plan::Amount { calls: 100, time: TIMEOUT };
    served.one_at_a_time(&add, sample)?;
    let calls = served.fitting(plan.memory_calls, TIMEOUT / 3);
    let peak = while_watched(pid, || served.fly(&add, calls, calls).map(drop))?;
    metrics.insert(Metric::PipelinedCalls, calls as f64);
    metrics.insert(Metric::PeakAnonymous, peak);
    metrics.insert(Metric::PeakResident, peak_resident(pid)?);
    metrics.insert(Metric::AnonymousAfter, settled(pid)?.anonymous);
    if held(contender) {
        for _ in 0..2 {
            served.fly(&add, calls, calls)?;
        }
        metrics.insert(Metric::AnonymousLater, settled(pid)?.anonymous);
    }
    Ok(metrics)
}

/// Whether its memory has a required limit.
fn held(contender: &Contender) -> bool {
    matches!(contender.kind, Kind::Floor | Kind::Ours)
}

/// Memory in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Taken {
    pub(super) anonymous: f64,
    resident: f64,
}

impl Taken {
    /// The exact sums over all pages. The values in `status` can be outdated.
    fn now(pid: u32) -> Result<Taken> {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).context("the memory of the server")?;
        Ok(Taken { anonymous: field(&text, "Anonymous:")?, resident: field(&text, "Rss:")? })
    }
}

fn field(text: &str, name: &str) -> Result<f64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse::<f64>().ok());
    Ok(value.with_context(|| format!("no {name}"))? * 1024.0)
}

/// The memory after it has stopped changing. Servers still start threads after the first response.
pub(super) fn settled(pid: u32) -> Result<Taken> {
    let mut last = Taken::now(pid)?;
    for _ in 0..40 {
        thread::sleep(Duration::from_millis(50));
        let now = Taken::now(pid)?;
        if now == last {
            break;
        }
        last = now;
    }
    Ok(last)
}

fn peak_resident(pid: u32) -> Result<f64> {
    field(&fs::read_to_string(format!("/proc/{pid}/status"))?, "VmHWM:")
}

/// The peak anonymous memory during that.
fn while_watched(pid: u32, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut most = 0.0_f64;
            while !over.load(Ordering::Relaxed) {
                most = most.max(Taken::now(pid)?.anonymous);
                thread::sleep(Duration::from_millis(1));
            }
            Ok(most.max(Taken::now(pid)?.anonymous))
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        let most = watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        done.and(most)
    })
}
