//! Measurements as lines of JSON, stored between runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::metric::Metric;

/// One measurement of one server.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) server: String,
    pub(crate) round: usize,
    /// Whether server and client share one processor.
    #[serde(default)]
    pub(crate) pinned: bool,
    /// What varies, as a number: tools, calls in flight, turns, sessions, mounted servers, files, or a profile of cargo.
    #[serde(default)]
    pub(crate) at: u64,
    pub(crate) metrics: BTreeMap<Metric, f64>,
    /// The fault after which there are no measurements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// The parts of a run. Each has its own file and can be measured again alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Calls,
    Starts,
    Memory,
    Tools,
    InFlight,
    Http,
    Clients,
    Agents,
    Turns,
    Sessions,
    Mounts,
    History,
    Instructions,
    Builds,
    Contents,
}

impl Part {
    pub(crate) const ALL: [Part; 15] = [
        Part::Calls,
        Part::Starts,
        Part::Memory,
        Part::Tools,
        Part::InFlight,
        Part::Http,
        Part::Clients,
        Part::Agents,
        Part::Turns,
        Part::Sessions,
        Part::Mounts,
        Part::History,
        Part::Instructions,
        Part::Builds,
        Part::Contents,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Calls => "calls",
            Part::Starts => "starts",
            Part::Memory => "memory",
            Part::Tools => "tools",
            Part::InFlight => "in-flight",
            Part::Http => "http",
            Part::Clients => "clients",
            Part::Agents => "agents",
            Part::Turns => "turns",
            Part::Sessions => "sessions",
            Part::Mounts => "mounts",
            Part::History => "history",
            Part::Instructions => "instructions",
            Part::Builds => "builds",
            Part::Contents => "contents",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// When, how and where a part was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Circumstances {
    /// The day, as `2026-01-31`.
    pub(crate) date: String,
    /// The name of the plan.
    pub(crate) plan: String,
    pub(crate) seconds: f64,
    /// The processor, the kernel and the compiler.
    pub(crate) machine: String,
}

/// The folder of the records.
#[derive(Debug)]
pub(crate) struct Store(PathBuf);

impl Store {
    pub(crate) fn new(folder: PathBuf) -> Result<Store> {
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(Store(folder))
    }

    /// Replaces the records of a part. Only measurements of the same run are compared.
    pub(crate) fn keep(&self, part: Part, records: &[Record], circumstances: &Circumstances) -> Result<()> {
        let mut lines = String::new();
        for record in records {
            lines.push_str(&serde_json::to_string(record)?);
            lines.push('\n');
        }
        for (path, text) in
            [(self.path(part), lines), (self.circumstances_path(part), serde_json::to_string(circumstances)?)]
        {
            fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(())
    }

    /// When, how and where a part was measured. `None` if it was not.
    pub(crate) fn circumstances(&self, part: Part) -> Result<Option<Circumstances>> {
        let path = self.circumstances_path(part);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// The records of a part. Empty if it was not measured.
    pub(crate) fn read(&self, part: Part) -> Result<Vec<Record>> {
        let path = self.path(part);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let read = |line: &str| serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display()));
        text.lines().map(read).collect()
    }

    fn path(&self, part: Part) -> PathBuf {
        self.0.join(format!("{}.jsonl", part.name()))
    }

    fn circumstances_path(&self, part: Part) -> PathBuf {
        self.0.join(format!("{}.circumstances.json", part.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again_and_a_part_measured_anew_takes_the_place_of_the_old() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("results")).unwrap();
        assert!(store.read(Part::Calls).unwrap().is_empty());
        let record = |round| Record {
            server: "floor".into(),
            round,
            metrics: BTreeMap::from([(Metric::SequentialP50, 9.5)]),
            ..Record::default()
        };
        let on = |date: &str| Circumstances { date: date.into(), ..Circumstances::default() };
        store.keep(Part::Calls, &[record(0), record(1)], &on("2026-01-30")).unwrap();
        store.keep(Part::Calls, &[record(7)], &on("2026-01-31")).unwrap();
        let read = store.read(Part::Calls).unwrap();
        assert_eq!((read.len(), read[0].round, read[0].metrics[&Metric::SequentialP50]), (1, 7, 9.5));
        assert_eq!(store.circumstances(Part::Calls).unwrap(), Some(on("2026-01-31")));
        assert!(store.read(Part::Memory).unwrap().is_empty());
        assert_eq!(store.circumstances(Part::Memory).unwrap(), None);
    }
}
