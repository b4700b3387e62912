//! Measures what grows with mounted servers and with stored sessions.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, Result};

use super::plan::Plan;
use crate::contender::OURS;
use crate::folders::{Folders, finish};
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;

/// Measures a call of one server, and the time to open the session, with more and more mounted servers.
pub(crate) fn mounts(folders: &Folders, plan: &Plan) -> Result<Vec<Record>> {
    grow(folders, "mounts", &plan.mounts, plan.rounds, |[open, calls], _| {
        BTreeMap::from([(Metric::Open, open), (Metric::Call, calls)])
    })
}

/// Measures the time to list stored sessions, for each.
pub(crate) fn history(folders: &Folders, plan: &Plan) -> Result<Vec<Record>> {
    grow(folders, "history", &plan.histories, plan.rounds, |[_, list], files| {
        BTreeMap::from([(Metric::HistoryFile, list / files as f64)])
    })
}

/// Runs `examples/growth.rs` with each number. It prints two times in nanoseconds.
fn grow(
    folders: &Folders,
    case: &str,
    numbers: &[usize],
    rounds: usize,
    metrics: impl Fn([f64; 2], usize) -> BTreeMap<Metric, f64>,
) -> Result<Vec<Record>> {
    let program = folders.build()?.join("examples/growth");
    let mut records = Vec::new();
    for round in 0..rounds {
        say(format_args!("{case}: round {} of {rounds}", round + 1));
        for &number in numbers {
            let mut command = Command::new(&program);
            command.args([case, &number.to_string()]);
            let printed = finish(command)?;
            let mut times = printed.split_whitespace().map(str::parse);
            let mut time = || times.next().context("two times")?.context("a time");
            let metrics = metrics([time()?, time()?], number);
            records.push(Record { server: OURS.to_owned(), round, at: number as u64, metrics, ..Record::default() });
        }
    }
    Ok(records)
}
