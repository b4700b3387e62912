//! A store in memory that two hubs share, as two instances share a Redis. It can fail, and it can be slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_agent::Pending;
use mcp_agent_web::MemoryStore;
use mcp_agent_web::store::{ChatState, ChatStore, StoreError, StoredSnapshot};
use tokio::sync::watch;

/// A store in memory that two hubs share.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedStore {
    store: Arc<MemoryStore>,
    /// How many of the next events cannot be appended.
    pub(crate) failing_appends: Arc<AtomicUsize>,
    /// While it is true, events wait before they are appended.
    pub(crate) is_slow: watch::Sender<bool>,
}

type Done<'a, T> = Pending<'a, Result<T, StoreError>>;

impl ChatStore for SharedStore {
    fn state<'a>(&'a self, chat: &'a str) -> Done<'a, ChatState> {
        self.store.state(chat)
    }
    fn append<'a>(&'a self, chat: &'a str, lease: &'a str, event: Arc<str>, is_busy: bool) -> Done<'a, u64> {
        Box::pin(async move {
            let one_less = |count: usize| count.checked_sub(1);
            if self.failing_appends.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
                return Err(StoreError::Failed("not reachable".into()));
            }
            // Cannot fail: the sender is part of `self`.
            let _ = self.is_slow.subscribe().wait_for(|is_slow| !is_slow).await;
            self.store.append(chat, lease, event, is_busy).await
        })
    }
    fn read<'a>(&'a self, chat: &'a str, after: u64, limit: usize) -> Done<'a, Vec<(u64, Arc<str>)>> {
        self.store.read(chat, after, limit)
    }
    fn save<'a>(&'a self, chat: &'a str, lease: &'a str, snapshot: StoredSnapshot, remove_to: u64) -> Done<'a, ()> {
        self.store.save(chat, lease, snapshot, remove_to)
    }
    fn snapshot<'a>(&'a self, chat: &'a str) -> Done<'a, Option<StoredSnapshot>> {
        self.store.snapshot(chat)
    }
    fn end<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
        self.store.end(chat, lease)
    }
    fn claim<'a>(&'a self, chat: &'a str, lease: &'a str, time: Duration) -> Done<'a, bool> {
        self.store.claim(chat, lease, time)
    }
    fn release<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
        self.store.release(chat, lease)
    }
    fn send<'a>(&'a self, chat: &'a str, command: String, once: Option<&'a str>) -> Done<'a, bool> {
        self.store.send(chat, command, once)
    }
    fn next_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, Option<String>> {
        self.store.next_command(chat, lease)
    }
    fn remove_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Done<'a, ()> {
        self.store.remove_command(chat, lease)
    }
    fn changes(&self, chat: &str) -> watch::Receiver<()> {
        self.store.changes(chat)
    }
}
