//! Counts the instructions of a call with callgrind.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::contender::{Contender, Kind, OURS, PIPES, RMCP};
use crate::folders::{Folders, finish};
use crate::measure::{Plan, Served};
use crate::metric::Metric;
use crate::peers;
use crate::progress::say;
use crate::record::Record;
use crate::work::Work;

/// The name in records of a call in the same process.
pub(crate) const SESSION: &str = "session";
/// The same through a mount of an agent.
pub(crate) const MOUNT: &str = "mount";

/// Counts the instructions of a call for all compiled servers, and for a call in the same process.
pub(crate) fn instructions(folders: &Folders, contenders: &[Contender], plan: &Plan) -> Result<Vec<Record>> {
    available()?;
    let scratch = folders.folder().join("callgrind");
    fs::create_dir_all(&scratch)?;
    let mut records = Vec::new();
    for contender in contenders.iter().filter(|contender| contender.kind != Kind::Interpreted) {
        say(format_args!("instructions: {}", contender.key));
        let mut metrics = BTreeMap::new();
        for (metric, work) in works(contender) {
            metrics.insert(metric, of_server(contender, &work, plan.instructions, &scratch)?);
        }
        records.push(Record { server: contender.key.to_owned(), metrics, ..Record::default() });
    }
    let mut programs = vec![(SESSION, inproc(folders)?, "session"), (MOUNT, inproc(folders)?, "mount")];
    if contenders.iter().any(|contender| [RMCP, PIPES].contains(&contender.key)) {
        programs.push((RMCP, peers::duplex(folders)?, "rmcp"));
    }
    for (server, program, case) in programs {
        say(format_args!("instructions: {server}, in process"));
        let metrics = BTreeMap::from([
            (Metric::InProcessInstructions, of_case(&program, case, plan.instructions, &scratch)?),
            (Metric::InProcessTime, time_of_case(&program, case)?),
        ]);
        records.push(Record { server: server.to_owned(), metrics, ..Record::default() });
    }
    Ok(records)
}

/// The program that calls this project in its own process.
pub(crate) fn inproc(folders: &Folders) -> Result<OsString> {
    Ok(folders.build()?.join("examples/inproc").into())
}

/// Checks that valgrind is installed.
pub(crate) fn available() -> Result<()> {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--version");
    finish(valgrind).map(drop).context("valgrind is needed to count instructions")
}

fn works(contender: &Contender) -> Vec<(Metric, Work<'static>)> {
    let mut works = vec![(Metric::AddInstructions, Work::Add("add"))];
    if contender.has_structured_output() {
        works.push((Metric::SearchInstructions, Work::Search));
    }
    if contender.key == OURS {
        works.push((Metric::SyncInstructions, Work::Add("add_sync")));
    }
    works
}

/// Instructions of a server for one call: the difference between two runs with different numbers of calls, so that start and
/// shutdown do not count.
pub(crate) fn of_server(contender: &Contender, work: &Work<'_>, calls: [u64; 2], scratch: &Path) -> Result<f64> {
    each(calls, |calls| {
        let counted = scratch.join(format!("{}.{calls}", contender.key));
        let mut watched = contender.clone();
        watched.command.splice(0..0, callgrind(&counted));
        let mut served = Served::start(&watched)?;
        for _ in 0..calls {
            served.round_trip(work)?;
        }
        served.process.finish()?;
        total(&counted)
    })
}

/// Instructions of a call in the same process, without those of the loop.
pub(crate) fn of_case(program: &OsString, case: &str, calls: [u64; 2], scratch: &Path) -> Result<f64> {
    let count = |case: &str| {
        each(calls, |calls| {
            let counted = scratch.join(format!("in-process.{case}.{calls}"));
            let mut words = callgrind(&counted);
            words.extend([program.clone(), case.into(), calls.to_string().into()]);
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).stderr(Stdio::null());
            finish(command)?;
            total(&counted)
        })
    };
    Ok(count(case)? - count("nothing")?)
}

/// Nanoseconds of a call in the same process, without those of the loop. The best of several runs.
fn time_of_case(program: &OsString, case: &str) -> Result<f64> {
    const CALLS: u32 = 50_000;
    let best = |case: &str| -> Result<f64> {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let mut command = Command::new(program);
            command.arg(case).arg(CALLS.to_string());
            best = best.min(finish(command)?.trim().parse().context("a time")?);
        }
        Ok(best / f64::from(CALLS))
    };
    Ok(best(case)? - best("nothing")?)
}

fn each([few, many]: [u64; 2], count: impl Fn(u64) -> Result<f64>) -> Result<f64> {
    Ok((count(many)? - count(few)?) / (many - few) as f64)
}

fn callgrind(counted: &Path) -> Vec<OsString> {
    let mut file = OsString::from("--callgrind-out-file=");
    file.push(counted);
    vec!["valgrind".into(), "--quiet".into(), "--tool=callgrind".into(), file]
}

/// The number of instructions in an output file of callgrind.
fn total(counted: &Path) -> Result<f64> {
    let text = fs::read_to_string(counted).context("callgrind has written nothing")?;
    let Some(total) = text.lines().find_map(|line| line.strip_prefix("totals:").or(line.strip_prefix("summary:"))) else {
        bail!("callgrind has counted nothing");
    };
    total.trim().parse().context("callgrind counts instructions")
}
