//! The sessions with clients that begin with a handshake: bounded in number and in time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use data_encoding::HEXLOWER;
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::time::Instant;

use crate::admission::Caller;
use crate::conversation::Conversation;
use crate::refusal::Refusal;

/// The header that names a session.
pub(crate) const SESSION_ID: &str = "mcp-session-id";

/// When there is no room, a session that nobody used for this long makes some.
const SPARE: Duration = Duration::from_secs(60);

/// How often those that were idle too long are looked for.
const SWEEP: Duration = Duration::from_secs(60);

/// The sessions, by names that cannot be guessed.
#[derive(Debug)]
pub(crate) struct Sessions {
    most: usize,
    idle: Duration,
    table: Mutex<Table>,
}

#[derive(Debug)]
struct Table {
    conversations: HashMap<Box<str>, Arc<Conversation>>,
    swept: Instant,
}

impl Sessions {
    pub(crate) fn new(most: usize, idle: Duration) -> Sessions {
        Sessions { most, idle, table: Mutex::new(Table { conversations: HashMap::new(), swept: Instant::now() }) }
    }

    /// Takes a session in and gives it a name.
    pub(crate) fn open(&self, conversation: Arc<Conversation>) -> Result<HeaderValue, Refusal> {
        let name = unguessable()?;
        let header = HeaderValue::from_str(&name).map_err(|_| Refusal::busy("the session has no name"))?;
        self.insert(&mut self.lock(), name, conversation)?;
        Ok(header)
    }

    /// The session of that name, which is begun if it is not here.
    pub(crate) fn known(&self, name: &str, begin: impl FnOnce() -> Arc<Conversation>) -> Result<Arc<Conversation>, Refusal> {
        let mut table = self.lock();
        if let Some(conversation) = table.conversations.get(name) {
            return Ok(conversation.clone());
        }
        let conversation = begin();
        self.insert(&mut table, name.to_owned(), conversation.clone())?;
        Ok(conversation)
    }

    /// The session of that name, if it is here.
    pub(crate) fn look(&self, name: &str) -> Option<Arc<Conversation>> {
        self.lock().conversations.get(name).cloned()
    }

    /// Ends the session of that name, if it is here: it has ended elsewhere.
    pub(crate) fn forget(&self, name: &str) {
        let ended = self.lock().conversations.remove(name);
        if let Some(conversation) = ended {
            conversation.end();
        }
    }

    fn insert(&self, table: &mut Table, name: String, conversation: Arc<Conversation>) -> Result<(), Refusal> {
        table.sweep(self.idle);
        if table.conversations.len() >= self.most && !table.make_room() {
            return Err(Refusal::busy("too many sessions at once"));
        }
        table.conversations.insert(name.into(), conversation);
        Ok(())
    }

    /// The session that a request names.
    pub(crate) fn find(&self, caller: &Caller) -> Result<Arc<Conversation>, Refusal> {
        let name = name(&caller.parts.headers)?;
        let mut table = self.lock();
        if table.swept.elapsed() > SWEEP.min(self.idle) {
            table.sweep(self.idle);
        }
        table.get(name, caller).ok_or_else(gone)
    }

    /// Ends the session that a request names.
    pub(crate) fn end(&self, caller: &Caller) -> Result<(), Refusal> {
        let name = name(&caller.parts.headers)?;
        let mut table = self.lock();
        let conversation = table.get(name, caller).ok_or_else(gone)?;
        table.conversations.remove(name);
        drop(table);
        conversation.end();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// The session of that name. To others than its owner there is none.
    fn get(&self, name: &str, caller: &Caller) -> Option<Arc<Conversation>> {
        let conversation = self.conversations.get(name)?;
        conversation.belongs_to(caller.principal.as_ref()).then(|| conversation.clone())
    }

    /// Ends those that were idle for too long.
    fn sweep(&mut self, idle: Duration) {
        self.swept = Instant::now();
        self.conversations.retain(|_, conversation| {
            let live = conversation.idle().is_none_or(|time| time < idle);
            if !live {
                conversation.end();
            }
            live
        });
    }

    /// Ends the one that was idle longest, if it was so long enough.
    fn make_room(&mut self) -> bool {
        let idle = self.conversations.iter().filter_map(|(name, conversation)| Some((conversation.idle()?, name)));
        let longest = idle.max().filter(|(time, _)| *time >= SPARE).map(|(_, name)| name.clone());
        let ended = longest.and_then(|name| self.conversations.remove(&name));
        ended.as_ref().inspect(|conversation| conversation.end()).is_some()
    }
}

/// A name that nobody can guess.
pub(crate) fn unguessable() -> Result<String, Refusal> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|_| Refusal::busy("the system gives no random numbers"))?;
    Ok(HEXLOWER.encode(&random))
}

/// The name that a request gives.
pub(crate) fn name(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut names = headers.get_all(SESSION_ID).iter();
    let name = names.next().and_then(|name| name.to_str().ok()).filter(|_| names.next().is_none());
    name.ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, "the header `Mcp-Session-Id` must name a session"))
}

/// There is no such session, or not any more: the client begins anew.
pub(crate) fn gone() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such session")
}
