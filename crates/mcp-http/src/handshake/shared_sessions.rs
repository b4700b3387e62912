//! Sessions in a store that several instances of a server share.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use mcp_core::Principal;
use mcp_core::transport::{SessionStore, SessionStoreError};

use super::session::HttpSession;
use super::sessions::{SessionTable, not_found, session_id};
use crate::backend::Backend;
use crate::checks::Caller;
use crate::checks::header_check::{self, SESSION_ID};
use crate::responses::Refusal;

/// Loads sessions from the store and saves them there.
pub(crate) struct SharedSessions {
    store: Arc<dyn SessionStore>,
    backend: Arc<Backend>,
    idle: Duration,
}

impl SharedSessions {
    pub(crate) fn new(store: Arc<dyn SessionStore>, backend: Arc<Backend>, idle: Duration) -> SharedSessions {
        SharedSessions { store, backend, idle }
    }

    /// Updates the local session of a request to the state in the store, which another instance may have changed.
    pub(crate) async fn load(&self, sessions: &SessionTable, caller: &Caller) -> Result<(), Refusal> {
        let headers = &caller.parts.headers;
        if header_check::is_stateless(headers) || !headers.contains_key(SESSION_ID) {
            return Ok(());
        }
        let id = session_id(headers)?;
        let Some(record) = self.store.load(id, self.idle).await.map_err(unavailable)? else {
            sessions.remove(id);
            return Err(not_found());
        };
        if record.owner.as_deref() != caller.principal.as_ref().map(Principal::owner) {
            return Err(not_found());
        }
        let create = || HttpSession::new(&self.backend, caller);
        sessions.get_or_insert(id, create)?.restore(record);
        Ok(())
    }

    /// Saves the session of a request if the request opened or changed it.
    pub(crate) async fn save(
        &self,
        sessions: &SessionTable,
        caller: &Caller,
        opened: Option<HeaderValue>,
    ) -> Result<(), Refusal> {
        let id = opened.as_ref().or_else(|| caller.parts.headers.get(SESSION_ID));
        let Some(id) = id.and_then(|id| id.to_str().ok()) else { return Ok(()) };
        let Some(record) = sessions.get(id).and_then(|session| session.take_changes()) else { return Ok(()) };
        self.store.save(id, &record, self.idle).await.map_err(unavailable)
    }

    /// Removes the session of a request from the store.
    pub(crate) async fn remove(&self, caller: &Caller) -> Result<(), Refusal> {
        self.store.remove(session_id(&caller.parts.headers)?).await.map(drop).map_err(unavailable)
    }
}

fn unavailable(error: SessionStoreError) -> Refusal {
    tracing::warn!(%error, "the session store failed");
    Refusal::busy("the session store is unavailable")
}
