//! A watcher of a chat.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use crate::error::WebError;
use crate::shared::{Shared, check};
use crate::store::{ChatState, StoreError};

/// How many events are read from the store at once.
const PAGE: usize = 32;

/// A watcher of a chat. It reads at its own pace: it holds only a position and a few events.
#[derive(Debug)]
pub struct Watch {
    shared: Arc<Shared>,
    chat: String,
    /// The epoch of the chat and the number of the last event that was read.
    position: Option<(String, u64)>,
    read: VecDeque<(u64, Arc<str>)>,
    changes: watch::Receiver<()>,
    stop: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
}

/// What a watcher receives. Its data is JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Update {
    /// What the chat looks like: a [`Transcript`](crate::Transcript) as JSON. It replaces all that was received before.
    Snapshot {
        /// The position, for `Last-Event-ID`.
        id: String,
        /// The transcript.
        data: Arc<str>,
    },
    /// An event: an [`Event`](mcp_agent::event::Event) as JSON.
    Event {
        /// The position, for `Last-Event-ID`.
        id: String,
        /// The event.
        data: Arc<str>,
    },
}

impl Watch {
    pub(crate) async fn new(shared: Arc<Shared>, chat: &str, after: Option<&str>) -> Result<Self, WebError> {
        check(chat)?;
        let permit = Arc::clone(&shared.watchers).try_acquire_owned().map_err(|_| WebError::TooManyWatchers)?;
        if shared.store.state(chat).await?.last == 0 {
            shared.import(chat).await?;
        }
        // An id that cannot be parsed is unknown, so the watcher gets a snapshot.
        let position = after.and_then(|id| {
            let (epoch, number) = id.rsplit_once('-')?;
            Some((epoch.to_owned(), number.parse().ok()?))
        });
        let (changes, stop) = (shared.store.changes(chat), shared.stop.subscribe());
        let (chat, read) = (chat.to_owned(), VecDeque::new());
        Ok(Self { shared, chat, position, read, changes, stop, _permit: permit })
    }

    /// Returns whether the chat has ended and everything was received.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn is_over(&self) -> Result<bool, WebError> {
        let state = self.shared.store.state(&self.chat).await?;
        Ok(state.is_ended && self.read.is_empty() && self.is_at(&state, state.last))
    }

    /// Returns the next update, or `None` when the chat has ended or the hub shuts down.
    ///
    /// Cancel safe: if the future is dropped, no update is lost.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn next(&mut self) -> Result<Option<Update>, WebError> {
        loop {
            if let Some((number, data)) = self.read.pop_front() {
                let epoch = self.position.as_ref().map(|(epoch, _)| epoch.clone()).unwrap_or_default();
                let id = format!("{epoch}-{number}");
                self.position = Some((epoch, number));
                return Ok(Some(Update::Event { id, data }));
            }
            self.changes.mark_unchanged();
            let state = self.shared.store.state(&self.chat).await?;
            if !self.is_known(&state)
                && let Some(snapshot) = self.snapshot(&state).await?
            {
                return Ok(Some(snapshot));
            }
            if !self.is_at(&state, state.last) {
                self.read_more(&state).await?;
                continue;
            }
            if state.is_ended || *self.stop.borrow() {
                return Ok(None);
            }
            self.wait(&state).await?;
        }
    }

    fn is_at(&self, state: &ChatState, number: u64) -> bool {
        self.position.as_ref().is_some_and(|(epoch, at)| *epoch == state.epoch && *at == number)
    }

    /// Returns whether the store still has every event after the position.
    fn is_known(&self, state: &ChatState) -> bool {
        let inside = |at: u64| at + 1 >= state.first && at <= state.last;
        self.position.as_ref().is_some_and(|(epoch, at)| *epoch == state.epoch && inside(*at))
    }

    /// Moves to the snapshot. If there is none, moves before the first event.
    async fn snapshot(&mut self, state: &ChatState) -> Result<Option<Update>, StoreError> {
        let snapshot = self.shared.store.snapshot(&self.chat).await?;
        let at = snapshot.as_ref().map_or(0, |snapshot| snapshot.at);
        self.position = Some((state.epoch.clone(), at));
        let id = format!("{}-{at}", state.epoch);
        Ok(snapshot.map(|snapshot| Update::Snapshot { id, data: snapshot.transcript }))
    }

    async fn read_more(&mut self, state: &ChatState) -> Result<(), StoreError> {
        let after = self.position.as_ref().map_or(0, |(_, at)| *at);
        let events = self.shared.store.read(&self.chat, after, PAGE).await?;
        // The next events may have been removed since the state was read. Then a snapshot is next.
        match events.first() {
            Some((number, _)) if *number == after + 1 => self.read.extend(events),
            _ => self.position = Some((format!("{}?", state.epoch), 0)),
        }
        Ok(())
    }

    /// Waits for a change. From time to time it looks whether the runner of the chat is gone.
    async fn wait(&mut self, state: &ChatState) -> Result<(), StoreError> {
        let change = async {
            tokio::select! {
                _ = self.changes.changed() => {}
                _ = self.stop.wait_for(|stop| *stop) => {}
            }
        };
        let is_quiet = timeout(self.shared.options.lease / 2, change).await.is_err();
        if is_quiet && (state.is_busy || state.has_commands) {
            let state = self.shared.store.state(&self.chat).await?;
            self.shared.recover(&self.chat, &state).await?;
        }
        Ok(())
    }
}
