//! Looks up measurements.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::contender;
use crate::metric::Metric;
use crate::record::{Circumstances, Part, Record, Store};
use crate::statistics::{self, Setting, Spread, Whose};

/// All measurements.
#[derive(Debug)]
pub(super) struct Figures {
    records: BTreeMap<Part, Vec<Record>>,
    circumstances: BTreeMap<Part, Circumstances>,
}

/// The measurements of a metric of a server.
pub(super) type Figure<'a> = (Metric, Whose<'a>);

impl Figures {
    pub(super) fn read(store: &Store) -> Result<Figures> {
        let (mut records, mut circumstances) = (BTreeMap::new(), BTreeMap::new());
        for part in Part::ALL {
            records.insert(part, store.read(part)?);
            circumstances.extend(store.circumstances(part)?.map(|found| (part, found)));
        }
        Ok(Figures { records, circumstances })
    }

    pub(super) fn records(&self, part: Part) -> &[Record] {
        self.records.get(&part).map_or(&[], Vec::as_slice)
    }

    /// When, how and where a part was measured.
    pub(super) fn circumstances(&self, part: Part) -> Option<&Circumstances> {
        self.circumstances.get(&part)
    }

    /// Whether a part has figures of this server or program.
    pub(super) fn has(&self, part: Part, key: &str) -> bool {
        self.records(part).iter().any(|record| record.server == key && !record.metrics.is_empty())
    }

    pub(super) fn spread(&self, part: Part, (metric, whose): Figure<'_>) -> Option<Spread> {
        statistics::spread(self.records(part), metric, whose)
    }

    pub(super) fn ratio(&self, part: Part, figure: Figure<'_>, base: Figure<'_>) -> Option<Spread> {
        statistics::ratio(self.records(part), figure, base)
    }

    /// The servers that have this metric, in the order of the tables.
    pub(super) fn servers(&self, part: Part, metric: Metric, setting: Setting) -> Vec<&'static str> {
        let has = |key: &&str| self.spread(part, (metric, (key, setting))).is_some();
        contender::ALL.iter().map(|(key, _)| *key).filter(has).collect()
    }

    /// The x values, such as numbers of tools.
    pub(super) fn places(&self, part: Part) -> Vec<u64> {
        let measured = self.records(part).iter().filter(|record| !record.metrics.is_empty());
        let mut places: Vec<u64> = measured.map(|record| record.at).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// All faults with server and part, without duplicates.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (part, records) in &self.records {
            for Record { server, error, .. } in records {
                let fault = error.as_ref().map(|error| format!("{}, {}: {error}", contender::title(server), part.name()));
                if let Some(fault) = fault.filter(|fault| !faults.contains(fault)) {
                    faults.push(fault);
                }
            }
        }
        faults
    }
}
