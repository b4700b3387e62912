//! Appends the events of a session to the store, and saves snapshots.

use std::sync::Arc;

use mcp_agent::event::{Event, Narrator};

use super::lease::Lease;
use crate::options::Options;
use crate::store::{ChatStore, StoreError, StoredSnapshot};
use crate::transcript::Transcript;

/// How many events are read from the store at once.
const PAGE: usize = 64;

/// The writing end of the events of one chat.
#[derive(Debug)]
pub(crate) struct Journal {
    store: Arc<dyn ChatStore>,
    options: Options,
    pub(crate) lease: Lease,
    pub(crate) narrator: Narrator,
    pub(crate) transcript: Transcript,
    /// The number of the newest event, and of the last two snapshots.
    last: u64,
    snapshots: [u64; 2],
    events_since: usize,
    bytes_since: usize,
}

impl Journal {
    /// Opens the journal: reads what the chat looks like now.
    pub(crate) async fn open(store: Arc<dyn ChatStore>, options: Options, lease: Lease) -> Result<Self, StoreError> {
        let narrator = Narrator::new(lease.chat.clone()).without_original();
        let mut journal = Self {
            store,
            options,
            lease,
            narrator,
            transcript: Transcript::default(),
            last: 0,
            snapshots: [0; 2],
            events_since: 0,
            bytes_since: 0,
        };
        if let Some(snapshot) = journal.store.snapshot(&journal.lease.chat).await? {
            journal.transcript =
                serde_json::from_str(&snapshot.transcript).map_err(|error| StoreError::Failed(error.into()))?;
            journal.last = snapshot.at;
            journal.snapshots = [snapshot.at; 2];
        }
        loop {
            let page = journal.store.read(&journal.lease.chat, journal.last, PAGE).await?;
            if page.is_empty() {
                return Ok(journal);
            }
            for (number, text) in page {
                let event: Event = serde_json::from_str(&text).map_err(|error| StoreError::Failed(error.into()))?;
                journal.transcript.feed(&event);
                journal.last = number;
                journal.events_since += 1;
                journal.bytes_since += text.len();
            }
        }
    }

    /// Returns whether the chat has no events.
    pub(crate) fn is_empty(&self) -> bool {
        self.last == 0
    }

    /// Appends an event.
    pub(crate) async fn append(&mut self, event: &Event) -> Result<(), StoreError> {
        let text: Arc<str> = serde_json::to_string(event).map_err(|error| StoreError::Failed(error.into()))?.into();
        self.transcript.feed(event);
        let is_busy = self.transcript.is_busy;
        self.events_since += 1;
        self.bytes_since += text.len();
        self.last = self.store.append(&self.lease.chat, &self.lease.id, text, is_busy).await?;
        if self.events_since >= self.options.ring_events || self.bytes_since >= self.options.ring_bytes {
            self.snapshot().await?;
        }
        Ok(())
    }

    /// Appends an event of the hub itself.
    pub(crate) async fn note(&mut self, name: &str, raw: &serde_json::Value) -> Result<(), StoreError> {
        let event = self.narrator.note(name, raw).map_err(|error| StoreError::Failed(error.into()))?;
        self.append(&event).await
    }

    /// Saves a snapshot and removes the events before the previous snapshot. So a watcher can be as far behind as one
    /// snapshot before it needs one.
    pub(crate) async fn snapshot(&mut self) -> Result<(), StoreError> {
        self.transcript.trim();
        let text = serde_json::to_string(&self.transcript).map_err(|error| StoreError::Failed(error.into()))?;
        let snapshot = StoredSnapshot { at: self.last, transcript: text.into() };
        let remove_to = self.snapshots[1];
        self.store.save(&self.lease.chat, &self.lease.id, snapshot, remove_to).await?;
        self.snapshots = [remove_to, self.last];
        (self.events_since, self.bytes_since) = (0, 0);
        Ok(())
    }

    /// Ends the turn that a runner left behind when its instance was killed.
    pub(crate) async fn end_lost_turn(&mut self) -> Result<(), StoreError> {
        for ask in std::mem::take(&mut self.transcript.asks) {
            self.note("chat.answered", &serde_json::json!({"id": ask["id"], "withdrawn": true})).await?;
        }
        self.narrator.prompted();
        let message = "the program that ran this session has ended; send another prompt to continue";
        for event in self.narrator.fail(message) {
            self.append(&event).await?;
        }
        Ok(())
    }

    /// Marks the chat as ended.
    pub(crate) async fn end(&mut self) -> Result<(), StoreError> {
        self.note("chat.end", &serde_json::json!({"type": "chat_end"})).await?;
        self.store.end(&self.lease.chat, &self.lease.id).await
    }
}
