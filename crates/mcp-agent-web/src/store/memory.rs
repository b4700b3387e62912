//! The store in the memory of this process.

use std::collections::{HashMap, VecDeque};
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_agent::{Pending, random_uuid};
use tokio::sync::watch;
use tokio::time::Instant;

use super::{ChatState, ChatStore, MAX_COMMANDS, MAX_READ, NumberedEvents, StoreError, StoredSnapshot};

/// The default maximum number of chats that are kept.
const MAX_CHATS: usize = 1024;

/// How many ids of prompts are remembered for each chat.
const MAX_USED_IDS: usize = 1024;

/// Keeps chats in memory. They are lost when the process ends; the conversations themselves are not, because the CLI stores
/// them.
///
/// At most 1024 chats are kept. Beyond that, the chat that was used least recently is forgotten, unless its session is
/// open.
#[derive(Debug)]
pub struct MemoryStore {
    chats: Mutex<HashMap<String, Chat>>,
    max_chats: usize,
}

#[derive(Debug)]
struct Chat {
    state: ChatState,
    events: VecDeque<(u64, Arc<str>)>,
    snapshot: Option<StoredSnapshot>,
    lease: Option<(String, Instant)>,
    commands: VecDeque<String>,
    used_ids: VecDeque<String>,
    changed: watch::Sender<()>,
    used: Instant,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self { chats: Mutex::default(), max_chats: MAX_CHATS }
    }
}

impl MemoryStore {
    /// Sets how many chats are kept.
    #[must_use]
    pub fn max_chats(mut self, max_chats: usize) -> Self {
        self.max_chats = max_chats.max(1);
        self
    }

    fn chats(&self) -> MutexGuard<'_, HashMap<String, Chat>> {
        self.chats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `f` with the chat, which is created if it does not exist.
    fn with<T>(&self, chat: &str, f: impl FnOnce(&mut Chat) -> T) -> T {
        let mut chats = self.chats();
        if !chats.contains_key(chat) {
            forget_oldest(&mut chats, self.max_chats);
            chats.insert(chat.to_owned(), Chat::new());
        }
        let entry = chats.entry(chat.to_owned()).or_insert_with(Chat::new);
        entry.used = Instant::now();
        f(entry)
    }

    fn held<T>(&self, chat: &str, lease: &str, f: impl FnOnce(&mut Chat) -> T) -> Result<T, StoreError> {
        self.with(chat, |chat| if chat.holder() == Some(lease) { Ok(f(chat)) } else { Err(StoreError::LeaseLost) })
    }
}

fn forget_oldest(chats: &mut HashMap<String, Chat>, max_chats: usize) {
    if chats.len() < max_chats {
        return;
    }
    // A chat with watchers is kept too: its channel has receivers.
    let idle = chats.iter().filter(|(_, chat)| chat.holder().is_none() && chat.changed.receiver_count() == 0);
    if let Some(oldest) = idle.min_by_key(|(_, chat)| chat.used).map(|(name, _)| name.clone()) {
        chats.remove(&oldest);
    }
}

impl Chat {
    fn new() -> Self {
        let state = ChatState { epoch: random_uuid()[..8].to_owned(), first: 1, ..ChatState::default() };
        Self {
            state,
            events: VecDeque::new(),
            snapshot: None,
            lease: None,
            commands: VecDeque::new(),
            used_ids: VecDeque::new(),
            changed: watch::Sender::new(()),
            used: Instant::now(),
        }
    }

    fn read(&self, after: u64, limit: usize) -> NumberedEvents {
        let start = self.events.partition_point(|(number, _)| *number <= after);
        let mut bytes = 0;
        let fits = |(index, (_, event)): &(usize, &(u64, Arc<str>))| {
            bytes += event.len();
            *index == 0 || bytes <= MAX_READ
        };
        let page = self.events.iter().skip(start).take(limit).enumerate().take_while(fits);
        page.map(|(_, event)| event.clone()).collect()
    }

    fn holder(&self) -> Option<&str> {
        self.lease.as_ref().filter(|(_, until)| *until > Instant::now()).map(|(lease, _)| lease.as_str())
    }

    fn push(&mut self, event: Arc<str>, is_busy: bool) -> u64 {
        self.state.last += 1;
        self.state.is_busy = is_busy;
        self.events.push_back((self.state.last, event));
        self.changed.send_replace(());
        self.state.last
    }

    fn send(&mut self, command: String, once: Option<&str>) -> Result<bool, StoreError> {
        if once.is_some_and(|once| self.used_ids.iter().any(|used| used == once)) {
            return Ok(false);
        }
        if self.commands.len() >= MAX_COMMANDS {
            return Err(StoreError::TooManyCommands);
        }
        if let Some(once) = once {
            self.used_ids.push_back(once.to_owned());
            if self.used_ids.len() > MAX_USED_IDS {
                self.used_ids.pop_front();
            }
        }
        self.commands.push_back(command);
        self.changed.send_replace(());
        Ok(true)
    }
}

/// Returns a future that is ready.
fn done<'a, T: Send + 'a>(value: T) -> Pending<'a, T> {
    Box::pin(ready(value))
}

impl ChatStore for MemoryStore {
    fn state<'a>(&'a self, chat: &'a str) -> Pending<'a, Result<ChatState, StoreError>> {
        let state = self.chats().get(chat).map(|chat| ChatState {
            is_held: chat.holder().is_some(),
            has_commands: !chat.commands.is_empty(),
            ..chat.state.clone()
        });
        done(Ok(state.unwrap_or_default()))
    }

    fn append<'a>(
        &'a self,
        chat: &'a str,
        lease: &'a str,
        event: Arc<str>,
        is_busy: bool,
    ) -> Pending<'a, Result<u64, StoreError>> {
        done(self.held(chat, lease, |chat| chat.push(event, is_busy)))
    }

    fn read<'a>(&'a self, chat: &'a str, after: u64, limit: usize) -> Pending<'a, Result<NumberedEvents, StoreError>> {
        done(Ok(self.chats().get(chat).map(|chat| chat.read(after, limit)).unwrap_or_default()))
    }

    fn save<'a>(
        &'a self,
        chat: &'a str,
        lease: &'a str,
        snapshot: StoredSnapshot,
        remove_to: u64,
    ) -> Pending<'a, Result<(), StoreError>> {
        done(self.held(chat, lease, |chat| {
            chat.snapshot = Some(snapshot);
            let removed = chat.events.partition_point(|(number, _)| *number <= remove_to);
            chat.events.drain(..removed);
            chat.state.first = chat.state.first.max(remove_to + 1);
        }))
    }

    fn snapshot<'a>(&'a self, chat: &'a str) -> Pending<'a, Result<Option<StoredSnapshot>, StoreError>> {
        done(Ok(self.chats().get(chat).and_then(|chat| chat.snapshot.clone())))
    }

    fn end<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<(), StoreError>> {
        done(self.held(chat, lease, |chat| {
            chat.state.is_ended = true;
            chat.commands.clear();
            chat.changed.send_replace(());
        }))
    }

    fn claim<'a>(&'a self, chat: &'a str, lease: &'a str, time: Duration) -> Pending<'a, Result<bool, StoreError>> {
        done(Ok(self.with(chat, |chat| {
            let is_free = chat.holder().is_none_or(|holder| holder == lease);
            if is_free {
                chat.lease = Some((lease.to_owned(), Instant::now() + time));
            }
            is_free
        })))
    }

    fn release<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<(), StoreError>> {
        // The lease may be lost already. Nothing has to be given back then.
        let _ = self.held(chat, lease, |chat| {
            chat.lease = None;
            chat.changed.send_replace(());
        });
        done(Ok(()))
    }

    fn send<'a>(&'a self, chat: &'a str, command: String, once: Option<&'a str>) -> Pending<'a, Result<bool, StoreError>> {
        done(self.with(chat, |chat| chat.send(command, once)))
    }

    fn next_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<Option<String>, StoreError>> {
        done(self.held(chat, lease, |chat| chat.commands.front().cloned()))
    }

    fn remove_command<'a>(&'a self, chat: &'a str, lease: &'a str) -> Pending<'a, Result<(), StoreError>> {
        done(self.held(chat, lease, |chat| drop(chat.commands.pop_front())))
    }

    fn changes(&self, chat: &str) -> watch::Receiver<()> {
        self.with(chat, |chat| chat.changed.subscribe())
    }
}
