//! The table of sessions: limited in number, and each limited in idle time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderMap, HeaderValue, StatusCode};
use mcp_core::transport::random_id;
use tokio::time::Instant;

use super::session::HttpSession;
use crate::checks::Caller;
use crate::checks::header_check::SESSION_ID;
use crate::limits::{EVICT_IDLE_SESSION, EXPIRY_CHECK, Limit};
use crate::peer::Client;
use crate::quota::Exceeded;
use crate::responses::Refusal;

/// The sessions of this instance, by random ids.
#[derive(Debug)]
pub(crate) struct SessionTable {
    limit: Limit,
    max_idle: Duration,
    table: Mutex<Table>,
}

#[derive(Debug)]
struct Table {
    sessions: HashMap<Box<str>, Arc<HttpSession>>,
    last_expiry_check: Instant,
}

impl SessionTable {
    pub(crate) fn new(limit: Limit, max_idle: Duration) -> SessionTable {
        let table = Table { sessions: HashMap::new(), last_expiry_check: Instant::now() };
        SessionTable { limit, max_idle, table: Mutex::new(table) }
    }

    /// Adds a session and returns its new id.
    pub(crate) fn open(&self, session: Arc<HttpSession>) -> Result<HeaderValue, Refusal> {
        let id = new_session_id()?;
        let header = HeaderValue::from_str(&id).map_err(|_| Refusal::busy("the session id cannot be sent in a header"))?;
        self.insert(&mut self.lock(), id, session)?;
        Ok(header)
    }

    /// Returns the session with this id. Creates it if this instance does not have it.
    pub(crate) fn get_or_insert(
        &self,
        id: &str,
        create: impl FnOnce() -> Arc<HttpSession>,
    ) -> Result<Arc<HttpSession>, Refusal> {
        let mut table = self.lock();
        if let Some(session) = table.sessions.get(id) {
            return Ok(session.clone());
        }
        let session = create();
        self.insert(&mut table, id.to_owned(), session.clone())?;
        Ok(session)
    }

    /// Returns the session with this id, if this instance has it.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<HttpSession>> {
        self.lock().sessions.get(id).cloned()
    }

    /// Removes and ends the session with this id, which another instance has ended.
    pub(crate) fn remove(&self, id: &str) {
        let removed = self.lock().sessions.remove(id);
        if let Some(session) = removed {
            session.end();
        }
    }

    fn insert(&self, table: &mut Table, id: String, session: Arc<HttpSession>) -> Result<(), Refusal> {
        table.end_expired(self.max_idle);
        table.make_room(self.limit, session.client()).map_err(|exceeded| Refusal::over_limit(exceeded, "sessions"))?;
        table.sessions.insert(id.into(), session);
        Ok(())
    }

    /// Ends all sessions.
    pub(crate) fn end_all(&self) {
        let sessions = std::mem::take(&mut self.lock().sessions);
        sessions.values().for_each(|session| session.end());
    }

    /// Returns the session of a request. Sessions of other principals are not found.
    pub(crate) fn find(&self, caller: &Caller) -> Result<Arc<HttpSession>, Refusal> {
        let id = session_id(&caller.parts.headers)?;
        let mut table = self.lock();
        if table.last_expiry_check.elapsed() > EXPIRY_CHECK.min(self.max_idle) {
            table.end_expired(self.max_idle);
        }
        table.get(id, caller).ok_or_else(not_found)
    }

    /// Ends the session of a request.
    pub(crate) fn end(&self, caller: &Caller) -> Result<(), Refusal> {
        let id = session_id(&caller.parts.headers)?;
        let mut table = self.lock();
        let session = table.get(id, caller).ok_or_else(not_found)?;
        table.sessions.remove(id);
        drop(table);
        session.end();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn get(&self, id: &str, caller: &Caller) -> Option<Arc<HttpSession>> {
        let session = self.sessions.get(id)?;
        session.belongs_to(caller.principal.as_ref()).then(|| {
            session.mark_used();
            session.clone()
        })
    }

    /// Ends the sessions that have been idle for `max_idle`.
    fn end_expired(&mut self, max_idle: Duration) {
        self.last_expiry_check = Instant::now();
        self.sessions.retain(|_, session| {
            let live = session.idle().is_none_or(|time| time < max_idle);
            if !live {
                session.end();
            }
            live
        });
    }

    /// Makes room for a session of `opener`: ends an idle session of the client that has too many.
    fn make_room(&mut self, limit: Limit, opener: &Client) -> Result<(), Exceeded> {
        let mut counts: HashMap<&Client, usize> = HashMap::new();
        self.sessions.values().for_each(|session| *counts.entry(session.client()).or_default() += 1);
        let of_opener = counts.get(opener).copied().unwrap_or(0);
        let (owner, exceeded) = if *opener != Client::Unknown && of_opener >= limit.per_client() {
            (opener.clone(), Exceeded::Client)
        } else if self.sessions.len() >= limit.total {
            let most = counts.into_iter().max_by_key(|(client, count)| (*count, *client == opener));
            (most.map_or_else(|| opener.clone(), |(client, _)| client.clone()), Exceeded::Total)
        } else {
            return Ok(());
        };
        // A client must not lose sessions that it uses because it opens many, but it may lose them if another client has few.
        let min_idle = if owner == *opener { EVICT_IDLE_SESSION } else { Duration::ZERO };
        if self.end_idle(&owner, min_idle) { Ok(()) } else { Err(exceeded) }
    }

    /// Ends an idle session of this client: first one that was not used after its handshake, then the one that has been idle
    /// longest, if it has been idle for `min_idle`. Returns whether there was one.
    fn end_idle(&mut self, owner: &Client, min_idle: Duration) -> bool {
        let sessions = self.sessions.iter().filter(|(_, session)| session.client() == owner);
        let idle = sessions.filter_map(|(id, session)| Some((!session.is_used(), session.idle()?, id)));
        let first = idle.max().filter(|(unused, time, _)| *unused || *time >= min_idle).map(|(_, _, id)| id.clone());
        let ended = first.and_then(|id| self.sessions.remove(&id));
        ended.inspect(|session| session.end()).is_some()
    }
}

/// Returns a new session id, which cannot be guessed.
pub(crate) fn new_session_id() -> Result<String, Refusal> {
    random_id().map_err(|error| Refusal::busy(&error.message))
}

/// Returns the session id of a request.
pub(crate) fn session_id(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut ids = headers.get_all(SESSION_ID).iter();
    let id = ids.next().and_then(|id| id.to_str().ok()).filter(|_| ids.next().is_none());
    id.ok_or_else(|| Refusal::new(StatusCode::BAD_REQUEST, "the header `Mcp-Session-Id` must have exactly one session id"))
}

/// Returns the refusal `404`: the session does not exist or has ended. The client must send `initialize` again.
pub(crate) fn not_found() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "session not found: initialize a new one")
}
