//! Sessions in a store that several instances share.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Response};
use mcp_core::transport::{Host, SessionStore, SessionStoreError};
use mcp_core::{Principal, Server};

use crate::admission::Caller;
use crate::body::Body;
use crate::conversation::Conversation;
use crate::endpoint::Shared;
use crate::mirror;
use crate::refusal::Refusal;
use crate::sessions::{SESSION_ID, Sessions, gone, name};

/// The store, and what it takes to go on with a session that comes from it.
pub(crate) struct Shelf {
    pub(crate) store: Arc<dyn SessionStore>,
    pub(crate) server: Server,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) idle: Duration,
}

impl Shelf {
    /// Brings the session that a request names up to date with the store, whichever instance changed it last.
    pub(crate) async fn fetch(&self, sessions: &Sessions, caller: &Caller) -> Result<(), Refusal> {
        let headers = &caller.parts.headers;
        if mirror::is_stateless(headers) || !headers.contains_key(SESSION_ID) {
            return Ok(());
        }
        let name = name(headers)?;
        let Some(record) = self.store.load(name, self.idle).await.map_err(unavailable)? else {
            sessions.forget(name);
            return Err(gone());
        };
        if record.owner.as_deref() != caller.principal.as_ref().map(Principal::owner) {
            return Err(gone());
        }
        let begin = || Conversation::new(&self.server, self.host.clone(), caller.principal.as_ref());
        sessions.known(name, begin)?.go_on_from(record);
        Ok(())
    }

    /// Puts the session into the store if the request has opened or changed it.
    pub(crate) async fn keep(
        &self,
        sessions: &Sessions,
        caller: &Caller,
        opened: Option<HeaderValue>,
    ) -> Result<(), Refusal> {
        let named = opened.as_ref().or_else(|| caller.parts.headers.get(SESSION_ID));
        let Some(name) = named.and_then(|name| name.to_str().ok()) else { return Ok(()) };
        let Some(record) = sessions.look(name).and_then(|conversation| conversation.changed()) else { return Ok(()) };
        self.store.save(name, &record, self.idle).await.map_err(unavailable)
    }

    /// Takes the session that a request ends out of the store.
    pub(crate) async fn remove(&self, caller: &Caller) -> Result<(), Refusal> {
        self.store.remove(name(&caller.parts.headers)?).await.map(drop).map_err(unavailable)
    }
}

impl Shared {
    /// Where sessions are in a store, brings the one that a request names from there.
    pub(crate) async fn fetch_session(&self, caller: &Caller) -> Result<(), Refusal> {
        match (&self.shelf, &self.sessions) {
            (Some(shelf), Some(sessions)) => Box::pin(shelf.fetch(sessions, caller)).await,
            _ => Ok(()),
        }
    }

    /// Where sessions are in a store, puts the one that a request opened or changed there.
    pub(crate) async fn keep_session(&self, caller: &Caller, response: Response<Body>) -> Result<Response<Body>, Refusal> {
        if let (Some(shelf), Some(sessions)) = (&self.shelf, &self.sessions) {
            let opened = response.headers().get(SESSION_ID).cloned();
            Box::pin(shelf.keep(sessions, caller, opened)).await?;
        }
        Ok(response)
    }
}

fn unavailable(error: SessionStoreError) -> Refusal {
    tracing::warn!(%error, "the store of sessions failed");
    Refusal::busy("sessions cannot be looked up at the moment")
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").field("idle", &self.idle).finish_non_exhaustive()
    }
}
