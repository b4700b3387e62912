//! Where the events of chats are kept: in the memory of this process, or in a store that several instances share.

mod memory;

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_agent::Pending;
use tokio::sync::watch;

pub use memory::MemoryStore;

/// Events of a chat, each with its number.
pub type NumberedEvents = Vec<(u64, Arc<str>)>;

/// Keeps the events, the snapshot and the waiting commands of every chat.
///
/// Events of a chat are numbered from 1 without gaps. One runner at a time holds the lease of a chat; only the holder
/// appends. The implementation in memory is [`MemoryStore`]; another one lets several instances of a program share their
/// chats.
pub trait ChatStore: Send + Sync + fmt::Debug + 'static {
    /// Returns the state of a chat. A chat without events has the default state.
    fn state<'a>(&'a self, chat: &'a str) -> Pending<'a, Result<ChatState, StoreError>>;

    /// Appends an event and returns its number. `is_busy` is stored with it: whether a turn is running after this event.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] if `lease` does not hold the chat.
    fn append<'a>(
        &'a self,
        chat: &'a str,
        lease: &'a str,
        event: Arc<str>,
        is_busy: bool,
    ) -> Pending<'a, Result<u64, StoreError>>;

    /// Returns at most `limit` events with numbers above `after`, in order. Returns fewer if they have more than [`MAX_READ`]
    /// bytes together, but at least one if there is one.
    fn read<'a>(&'a self, chat: &'a str, after: u64, limit: usize) -> Pending<'a, Result<NumberedEvents, StoreError>>;

    /// Replaces the snapshot of a chat, and removes the events up to `remove_to`.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] if `lease` does not hold the chat.
    fn save<'a>(
        &'a self,
        chat: &'a str,
        lease: &'a str,
        snapshot: StoredSnapshot,
        remove_to: u64,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// Returns the snapshot of a chat, if one was saved.
    fn snapshot<'a>(&'a self, chat: &'a str) -> Pending<'a, Result<Option<StoredSnapshot>, StoreError>>;

    /// Marks a chat as ended, and removes its waiting commands. Its events stay readable.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] if `lease` does not hold the chat.
    fn end<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<(), StoreError>>;

    /// Takes the lease of a chat, or extends it. Returns false if another lease holds the chat.
    fn claim<'a>(&'a self, chat: &'a str, lease: &'a str, time: Duration) -> Pending<'a, Result<bool, StoreError>>;

    /// Gives a lease back. Does nothing if it was lost.
    fn release<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<(), StoreError>>;

    /// Queues a command for the runner of a chat, behind the other commands. Returns false, and queues nothing, if `once` was
    /// used before in this chat.
    ///
    /// # Errors
    /// [`StoreError::TooManyCommands`] if [`MAX_COMMANDS`] are waiting.
    fn send<'a>(&'a self, chat: &'a str, command: String, once: Option<&'a str>) -> Pending<'a, Result<bool, StoreError>>;

    /// Returns the oldest waiting command. It waits until it is removed with [`remove_command`](Self::remove_command), so a
    /// runner that is killed does not lose it.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] if `lease` does not hold the chat.
    fn next_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<Option<String>, StoreError>>;

    /// Removes the oldest waiting command. The runner calls it after the event of the command was appended.
    ///
    /// # Errors
    /// [`StoreError::LeaseLost`] if `lease` does not hold the chat.
    fn remove_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<(), StoreError>>;

    /// Returns a receiver that is notified when events or commands were added to a chat.
    fn changes(&self, chat: &str) -> watch::Receiver<()>;
}

/// The size in bytes of the events that [`ChatStore::read`] returns at once. A single event may be larger.
pub const MAX_READ: usize = 1 << 20;

/// The maximum number of commands that wait for the runner of one chat.
pub const MAX_COMMANDS: usize = 256;

/// The state of a chat in its store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChatState {
    /// Distinguishes this chat from a removed one with the same id, whose events had the same numbers.
    pub epoch: String,
    /// The number of the first event that is kept.
    pub first: u64,
    /// The number of the newest event; zero if there was none.
    pub last: u64,
    /// Whether a turn was running at the newest event.
    pub is_busy: bool,
    /// Whether the chat has ended.
    pub is_ended: bool,
    /// Whether a runner holds the lease.
    pub is_held: bool,
    /// Whether commands wait for a runner.
    pub has_commands: bool,
}

/// A snapshot of a chat: its transcript, as JSON, after the event with the number `at`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// The number of the last event in the snapshot.
    pub at: u64,
    /// A [`Transcript`](crate::Transcript) as JSON.
    pub transcript: Arc<str>,
}

/// Why the store of chats failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The lease of the chat has expired or another runner holds it.
    LeaseLost,
    /// Too many commands wait for the runner of this chat.
    TooManyCommands,
    /// The store is not reachable, or what it contains is invalid.
    Failed(Box<dyn StdError + Send + Sync>),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeaseLost => f.write_str("another runner has taken over this chat"),
            Self::TooManyCommands => write!(f, "{MAX_COMMANDS} commands are waiting in this chat: try again later"),
            Self::Failed(_) => f.write_str("the store of chats failed"),
        }
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Failed(source) => Some(&**source),
            _ => None,
        }
    }
}
