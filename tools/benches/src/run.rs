//! Measures the requested parts, one after the other.

use std::time::Instant;

use anyhow::Result;

use crate::agents::agents;
use crate::builds::builds;
use crate::clients::clients;
use crate::command::Command;
use crate::contender::{BATCH, Contender, FLOOR, OURS, PIPES};
use crate::folders::Folders;
use crate::instructions::instructions;
use crate::measure::{calls, http, in_flight, memory, starts, tools};
use crate::peers::contenders;
use crate::progress::say;
use crate::record::{Part, Store};

/// Measures these parts, stores the records, and returns which parts failed.
pub(crate) fn run(folders: &Folders, command: &Command, parts: &[Part], store: &Store) -> Result<Vec<String>> {
    let contenders = contenders(folders, &command.plan, command.only.as_deref())?;
    let some = |keys: &[&str]| -> Vec<Contender> {
        contenders.iter().filter(|contender| keys.contains(&contender.key)).cloned().collect()
    };
    let mut failed = Vec::new();
    for &part in parts {
        let start = Instant::now();
        let records = match part {
            Part::Calls => calls(&contenders, &command.plan),
            Part::Starts => starts(&contenders, &command.plan),
            Part::Memory => memory(&contenders, &command.plan),
            Part::Tools => tools(&some(&[FLOOR, OURS, PIPES]), &command.plan),
            Part::InFlight => in_flight(&some(&[FLOOR, BATCH, OURS, PIPES]), &command.plan),
            Part::Http => http(folders, &command.plan),
            Part::Clients => clients(folders, &command.plan, command.only.as_deref()),
            Part::Agents => agents(folders, &command.plan, command.only.as_deref()),
            Part::Instructions => instructions(folders, &contenders, &command.plan),
            Part::Builds if !command.plan.builds => continue,
            Part::Builds => builds(folders, &contenders),
        };
        // The other parts take minutes, so they run even if one fails.
        let records = match records {
            Ok(records) => records,
            Err(error) => {
                failed.push(format!("{}: {error:#}", part.name()));
                continue;
            }
        };
        store.keep(part, &records)?;
        say(format_args!("{}: {} records in {:.0} s", part.name(), records.len(), start.elapsed().as_secs_f64()));
    }
    Ok(failed)
}
