//! Measures the requested parts, one after the other.

use std::fs;
use std::path::Path;
use std::process;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::Result;

use crate::agents::{agents, turns};
use crate::builds::{builds, contents};
use crate::clients::clients;
use crate::command::Command;
use crate::contender::{BATCH, Contender, FLOOR, OURS, OURS_NEW, PIPES};
use crate::folders::{Folders, finish};
use crate::instructions::instructions;
use crate::measure::{calls, history, http, in_flight, memory, mounts, sessions, starts, tools};
use crate::peers::contenders;
use crate::progress::say;
use crate::record::{Circumstances, Part, Record, Store};
use crate::report;

/// Measures these parts, stores the records and writes the page after each, and returns which parts failed.
pub(crate) fn run(folders: &Folders, command: &Command, parts: &[Part], store: &Store, docs: &Path) -> Result<Vec<String>> {
    let contenders = if parts.iter().any(|part| needs_contenders(*part)) {
        contenders(folders, &command.plan, command.only.as_deref())?
    } else {
        Vec::new()
    };
    let mut failed = Vec::new();
    for &part in parts {
        if part == Part::Builds && command.plan.edits == 0 {
            continue;
        }
        let start = Instant::now();
        // The other parts take minutes, so they run even if one fails.
        let records = match measure(part, folders, command, &contenders) {
            Ok(records) => records,
            Err(error) => {
                say(format_args!("FAILED: {}: {error:#}", part.name()));
                failed.push(format!("{}: {error:#}", part.name()));
                continue;
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        store.keep(part, &records, &circumstances(command.plan.name, seconds))?;
        say(format_args!("{}: {} records in {seconds:.0} s", part.name(), records.len()));
        report::write(store, docs)?;
    }
    Ok(failed)
}

/// Whether a part measures the servers of [`contenders`]. The others have programs of their own.
fn needs_contenders(part: Part) -> bool {
    use Part::{Builds, Calls, InFlight, Instructions, Memory, Starts, Tools};
    [Calls, Starts, Memory, Tools, InFlight, Instructions, Builds].contains(&part)
}

fn measure(part: Part, folders: &Folders, command: &Command, contenders: &[Contender]) -> Result<Vec<Record>> {
    let (plan, only) = (&command.plan, command.only.as_deref());
    let some = |keys: &[&str]| -> Vec<Contender> {
        contenders.iter().filter(|contender| keys.contains(&contender.key)).cloned().collect()
    };
    match part {
        Part::Calls => calls(contenders, plan),
        Part::Starts => starts(contenders, plan),
        Part::Memory => memory(contenders, plan),
        Part::Tools => tools(&some(&[FLOOR, OURS, PIPES]), plan),
        Part::InFlight => in_flight(&some(&[FLOOR, BATCH, OURS, PIPES]), plan),
        Part::Http => http(folders, plan),
        Part::Clients => clients(folders, plan, only),
        Part::Agents => agents(folders, plan, only),
        Part::Turns => turns(folders, plan, only),
        Part::Sessions => sessions(folders, plan),
        Part::Mounts => mounts(folders, plan),
        Part::History => history(folders, plan),
        Part::Instructions => {
            let compiled: Vec<Contender> =
                contenders.iter().filter(|contender| contender.key != OURS_NEW).cloned().collect();
            instructions(folders, &compiled, plan)
        }
        Part::Builds => builds(folders, contenders, plan.edits),
        Part::Contents => contents(folders),
    }
}

fn circumstances(plan: &str, seconds: f64) -> Circumstances {
    let first = |program: &str, arguments: &[&str]| {
        let mut command = process::Command::new(program);
        command.args(arguments);
        finish(command).map_or_else(|_| format!("no {program}"), |text| text.trim().to_owned())
    };
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, name)| name);
    let machine = format!(
        "{} ({} processors), Linux {}, {}",
        model.unwrap_or("an unnamed processor"),
        available_parallelism().map_or(1, usize::from),
        first("uname", &["-r"]),
        first("rustc", &["--version"]),
    );
    Circumstances { date: first("date", &["-u", "+%F"]), plan: plan.to_owned(), seconds, machine }
}
