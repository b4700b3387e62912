//! A store in memory.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{SessionKey, SessionStore, SessionSummary, StoreError, StoredLine};
use crate::transport::Pending;

/// A store in memory, for tests. Its content is lost when the program exits.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<Content>);

#[derive(Debug, Default)]
struct Content {
    transcripts: BTreeMap<SessionKey, Transcript>,
    // By project and session.
    summaries: BTreeMap<(String, String), SessionSummary>,
    last_time: u64,
}

#[derive(Debug, Default)]
struct Transcript {
    lines: Vec<StoredLine>,
    uuids: HashSet<String>,
}

impl MemoryStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn append(&mut self, key: &SessionKey, lines: &[StoredLine]) {
        let transcript = self.transcripts.entry(key.clone()).or_default();
        let is_new = |line: &&StoredLine| line.uuid().is_none_or(|uuid| transcript.uuids.insert(uuid));
        let new: Vec<StoredLine> = lines.iter().filter(is_new).cloned().collect();
        transcript.lines.extend(new.iter().cloned());
        if key.subpath.is_none() {
            // Each append is later than the one before, also if the clock does not advance between them.
            self.last_time = now().max(self.last_time + 1);
            let at = (key.project.clone(), key.session.clone());
            let summary = self.summaries.remove(&at).unwrap_or_else(|| SessionSummary::new(&key.session));
            self.summaries.insert(at, summary.fold(&new, self.last_time));
        }
    }
}

impl SessionStore for MemoryStore {
    fn append<'a>(&'a self, key: &'a SessionKey, lines: &'a [StoredLine]) -> Pending<'a, Result<(), StoreError>> {
        self.content().append(key, lines);
        Box::pin(async { Ok(()) })
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<Option<Vec<StoredLine>>, StoreError>> {
        let lines = self.content().transcripts.get(key).map(|transcript| transcript.lines.clone());
        Box::pin(async move { Ok(lines) })
    }

    fn sessions<'a>(&'a self, project: &'a str) -> Pending<'a, Result<Vec<SessionSummary>, StoreError>> {
        let content = self.content();
        let summaries = content.summaries.iter().filter(|((of, _), _)| of == project);
        let summaries = summaries.map(|(_, summary)| summary.clone()).collect();
        Box::pin(async move { Ok(summaries) })
    }

    fn subpaths<'a>(&'a self, session: &'a SessionKey) -> Pending<'a, Result<Vec<String>, StoreError>> {
        let content = self.content();
        let same = |key: &&SessionKey| key.project == session.project && key.session == session.session;
        let subpaths = content.transcripts.keys().filter(same).filter_map(|key| key.subpath.clone()).collect();
        Box::pin(async move { Ok(subpaths) })
    }

    fn delete<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<(), StoreError>> {
        let mut content = self.content();
        if key.subpath.is_none() {
            content.transcripts.retain(|other, _| (&other.project, &other.session) != (&key.project, &key.session));
            content.summaries.remove(&(key.project.clone(), key.session.clone()));
        } else {
            content.transcripts.remove(key);
        }
        Box::pin(async { Ok(()) })
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
