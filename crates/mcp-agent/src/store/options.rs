//! The options of a session store.

use std::sync::Arc;
use std::time::Duration;

use super::SessionStore;
use crate::agent::Agent;

/// When lines are sent to the store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flush {
    /// At the end of each turn, and when more than 500 lines or 1 MiB are waiting.
    #[default]
    Batched,
    /// At once. Each message of the CLI becomes an append of its own.
    Eager,
}

/// The store, and how to use it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreOptions {
    pub(crate) store: Option<Arc<dyn SessionStore>>,
    pub(crate) project: Option<String>,
    pub(crate) flush: Flush,
    pub(crate) load_timeout: Option<Duration>,
}

impl StoreOptions {
    /// Returns the time limit of each request for loading.
    pub(crate) fn load_timeout(&self) -> Duration {
        self.load_timeout.unwrap_or(Duration::from_secs(60))
    }
}

/// # Session store
impl Agent {
    /// Copies the session to a store while it runs, and resumes from the store.
    ///
    /// The CLI still writes to its own disk; lines are sent to the store after that. The store has all lines of a turn before
    /// the session yields its result. An append that fails is tried three times; then the lines are dropped and the session
    /// yields a [`Message::MirrorError`](crate::Message::MirrorError). An append that takes longer than 60 s is not repeated,
    /// because it may still succeed.
    ///
    /// With [`resume`](Self::resume), the transcripts of the session and of its sub-agents are loaded from the store and
    /// written to the disk of this machine before the CLI starts. If a file is there already and has all lines of the store,
    /// it is used. Otherwise it is replaced, and kept under another name if it has lines that the store does not have. With
    /// [`continue_latest`](Self::continue_latest), the latest session of the store is resumed. A session that the store does
    /// not have is resumed from the disk.
    ///
    /// File checkpoints are not part of a transcript: on another machine, `rewind_files` cannot restore files.
    #[must_use]
    pub fn session_store(mut self, store: Arc<dyn SessionStore>) -> Self {
        self.options.conversation.store.store = Some(store);
        self
    }

    /// Sets when lines are sent to the session store.
    #[must_use]
    pub fn session_store_flush(mut self, flush: Flush) -> Self {
        self.options.conversation.store.flush = flush;
        self
    }

    /// Sets the project of the keys in the session store, for instance the name of a tenant. The default is the CLI's name for
    /// the working directory.
    #[must_use]
    pub fn session_store_project(mut self, project: impl Into<String>) -> Self {
        self.options.conversation.store.project = Some(project.into());
        self
    }

    /// Sets the time limit of each request that loads from the session store. The default is 60 s.
    #[must_use]
    pub fn session_store_load_timeout(mut self, timeout: Duration) -> Self {
        self.options.conversation.store.load_timeout = Some(timeout);
        self
    }
}
