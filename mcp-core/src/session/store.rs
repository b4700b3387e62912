//! Storage for sessions that several processes share.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::host::BoxFuture;
use crate::protocol::{Client, ClientCapabilities, Implementation, LogLevel, Revision};
use crate::session::Session;

/// The stored state of a session with a handshake. A store may keep it as JSON.
///
/// Requests in flight and unanswered questions to the client are not part of it: they belong to one process.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SessionRecord {
    /// The [owner](crate::Principal::owner) of the session, if the transport authenticates its clients.
    pub owner: Option<String>,
    revision: Option<String>,
    client: Option<Implementation>,
    capabilities: ClientCapabilities,
    log_level: Option<LogLevel>,
    subscribed: BTreeSet<String>,
    /// The random id that identifies the session as the owner of its tasks.
    secret: Option<String>,
}

/// A store for sessions with a handshake, shared by several instances of a server.
///
/// Any instance can then handle a request of the session. Transports with session ids, such as HTTP, call it. Implement it
/// for the database that you use.
pub trait SessionStore: Send + Sync + 'static {
    /// Saves a session under this name, replacing an existing one. It expires after `idle`.
    fn save(&self, name: &str, record: &SessionRecord, idle: Duration) -> BoxFuture<Result<(), SessionStoreError>>;

    /// Loads the session with this name, if it exists, and sets its expiry to `idle` from now.
    fn load(&self, name: &str, idle: Duration) -> BoxFuture<Result<Option<SessionRecord>, SessionStoreError>>;

    /// Removes a session. Returns whether it existed.
    fn remove(&self, name: &str) -> BoxFuture<Result<bool, SessionStoreError>>;
}

/// An error of a [`SessionStore`].
pub type SessionStoreError = Box<dyn Error + Send + Sync>;

impl Session {
    /// Returns the state of this session, to save it in a [`SessionStore`].
    pub fn record(&self) -> SessionRecord {
        let shared = &self.shared;
        let client = shared.client();
        SessionRecord {
            owner: None,
            revision: shared.revision().map(|revision| revision.as_str().to_owned()),
            client: client.info.clone(),
            capabilities: client.capabilities.clone(),
            log_level: Some(shared.settings().log_level),
            subscribed: shared.subscriptions.resources(),
            secret: shared.secret.get().cloned(),
        }
    }

    /// Restores the state of a session that was saved with [`record`](Session::record).
    pub fn resume(&self, record: &SessionRecord) {
        let shared = &self.shared;
        shared.set_client(Client { info: record.client.clone(), capabilities: record.capabilities.clone() });
        if let Some(level) = record.log_level {
            shared.change_settings(|settings| settings.log_level = level);
        }
        if let Some(revision) = record.revision.as_deref().and_then(Revision::parse) {
            self.set_revision(revision);
        }
        if let Some(secret) = &record.secret {
            shared.secret.get_or_init(|| secret.clone());
        }
        let server = shared.server();
        let subscribed = shared.subscriptions.resources();
        subscribed.difference(&record.subscribed).for_each(|uri| shared.unsubscribe(uri));
        record.subscribed.difference(&subscribed).for_each(|uri| shared.subscribe(&server, uri.clone()));
    }
}

/// Does not print the secret.
impl fmt::Debug for SessionRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SessionRecord");
        shown.field("owner", &self.owner).field("revision", &self.revision).field("client", &self.client);
        shown.finish_non_exhaustive()
    }
}
