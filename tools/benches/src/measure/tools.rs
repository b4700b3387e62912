//! Measures servers with many tools: the list, and a call.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::plan::Plan;
use super::rotated;
use super::served::Served;
use crate::contender::Contender;
use crate::metric::Metric;
use crate::progress::say;
use crate::record::Record;
use crate::work::Work;

/// The length of the long list.
pub(crate) const MANY: usize = 100;

/// Measures the cost of a call with more and more tools.
pub(crate) fn tools(contenders: &[Contender], plan: &Plan) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for round in 0..plan.rounds {
        say(format_args!("tools: round {} of {}", round + 1, plan.rounds));
        for &total in &plan.tools {
            for place in rotated(contenders.len(), round) {
                let Some(many) = contenders[place].with_tools(total) else { continue };
                let mut served = Served::start(&many)?;
                served.round_trip(&Work::List(total))?;
                let latency = served.one_at_a_time(&Work::Add("add"), plan.sequential)?;
                let metrics = BTreeMap::from([(Metric::Call, latency.p50), (Metric::CallCpu, latency.cpu)]);
                let (server, at) = (many.key.to_owned(), total as u64);
                records.push(Record { server, round, at, metrics, ..Record::default() });
            }
        }
    }
    Ok(records)
}

/// Writes the response of a server to `tools/list` into the folder from which the floor reads it.
pub(crate) fn list(server: &Contender, total: usize, folder: &Path) -> Result<()> {
    #[derive(Deserialize)]
    struct Listed<'a> {
        #[serde(borrow)]
        result: &'a RawValue,
    }
    let many = server.with_tools(total).context("it can have many tools")?;
    let mut served = Served::start(&many)?;
    served.process.send(served.dialect.list(1).as_bytes())?;
    let line = served.process.line()?;
    let listed: Listed<'_> = serde_json::from_slice(served.process.bytes(line)).context("a list of tools")?;
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{total}.json")), listed.result.get()).context("the target folder is writable")
}
