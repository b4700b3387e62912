//! A guard of the instructions that a call takes: they repeat, so a slip shows at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::contender::{Contender, FLOOR, OURS};
use crate::instructions::{self, MOUNT, SESSION, of_case, of_server};
use crate::measure::Plan;
use crate::peers;
use crate::progress::say;
use crate::work::Work;
use crate::workshop::Workshop;

/// How much more than recorded is still the same: C libraries and processors differ a little.
const MARGIN: f64 = 0.02;

/// The calls of one count; a few hundred repeat as well as thousands.
const CALLS: [u64; 2] = [300, 1300];

type Counts = BTreeMap<String, f64>;

/// Counts, and holds against what was recorded, or records.
///
/// # Errors
/// When something takes more instructions than recorded, by more than the margin, or cannot be counted.
pub(crate) fn guard(workshop: &Workshop, record: bool) -> Result<()> {
    instructions::available()?;
    let counts = count(workshop)?;
    let path = workshop.root.join("tools/benches/instructions.json");
    if record {
        let text = serde_json::to_string_pretty(&counts)? + "\n";
        return fs::write(&path, text).context("the record cannot be written");
    }
    let recorded = fs::read_to_string(&path).context("the record is committed")?;
    let recorded: Counts = serde_json::from_str(&recorded).context("the record is JSON")?;
    let faults = compare(&recorded, &counts);
    for (name, count) in &counts {
        let then = recorded.get(name).map_or("nothing".to_owned(), f64::to_string);
        say(format_args!("{name}: {count} instructions, {then} recorded"));
    }
    if !faults.is_empty() {
        bail!("{}\nif this is meant: cargo run --release --package benches -- guard --record", faults.join("\n"));
    }
    Ok(())
}

fn count(workshop: &Workshop) -> Result<Counts> {
    let scratch = workshop.folder().join("callgrind");
    fs::create_dir_all(&scratch)?;
    let only = [FLOOR.to_owned(), OURS.to_owned()];
    let servers = peers::contenders(workshop, &Plan::smoke(), Some(&only))?;
    let ours = servers.iter().find(|server| server.key == OURS).context("this project is among the servers")?;
    let mut counts = Counts::new();
    for tool in ["add", "add_sync"] {
        counts.insert(format!("stdio {tool}"), whole(server(ours, tool, &scratch)?));
    }
    let program = instructions::inproc(workshop)?;
    for case in [SESSION, MOUNT] {
        counts.insert(format!("in process, {case}"), whole(of_case(&program, case, CALLS, &scratch)?));
    }
    Ok(counts)
}

fn server(ours: &Contender, tool: &'static str, scratch: &Path) -> Result<f64> {
    of_server(ours, &Work::Add(tool), CALLS, scratch)
}

/// Parts of an instruction are noise.
fn whole(count: f64) -> f64 {
    count.round()
}

/// What takes more than recorded, and what is on one side only.
fn compare(recorded: &Counts, counted: &Counts) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, now) in counted {
        match recorded.get(name) {
            None => faults.push(format!("{name} is not recorded")),
            Some(then) if *now > then * (1.0 + MARGIN) => {
                let percent = (now / then - 1.0) * 100.0;
                faults.push(format!("{name} takes {now} instructions, {percent:.1} % more than the {then} recorded"));
            }
            Some(then) if *now < then * (1.0 - MARGIN) => {
                say(format_args!("{name} takes fewer than recorded: record it, so that it stays so"));
            }
            Some(_) => {}
        }
    }
    faults.extend(recorded.keys().filter(|name| !counted.contains_key(*name)).map(|name| format!("{name} is not counted")));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(add: f64) -> Counts {
        Counts::from([("stdio add".to_owned(), add)])
    }

    #[test]
    fn more_than_the_margin_is_a_fault_and_less_is_none() {
        assert!(compare(&counts(1000.0), &counts(1019.0)).is_empty());
        assert!(compare(&counts(1000.0), &counts(500.0)).is_empty());
        let faults = compare(&counts(1000.0), &counts(1030.0));
        assert_eq!(faults, ["stdio add takes 1030 instructions, 3.0 % more than the 1000 recorded"]);
    }

    #[test]
    fn what_is_on_one_side_only_is_a_fault() {
        assert_eq!(compare(&Counts::new(), &counts(1.0)).len(), 1);
        assert_eq!(compare(&counts(1.0), &Counts::new()).len(), 1);
    }
}
