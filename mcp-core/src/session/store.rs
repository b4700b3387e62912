//! Sessions that outlive the process they began in.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::host::BoxFuture;
use crate::protocol::{Client, ClientCapabilities, Implementation, LogLevel, Revision};
use crate::session::Session;

/// All that a session with a handshake remembers of its client: data, which a store may keep as JSON.
///
/// What is being worked on is not part of it, nor are questions that wait for their answers: these belong to the process
/// that began them.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SessionRecord {
    /// To whom the session belongs: the [owner](crate::Principal::owner), where the transport knows.
    pub owner: Option<String>,
    revision: Option<String>,
    client: Option<Implementation>,
    capabilities: ClientCapabilities,
    log_level: Option<LogLevel>,
    subscribed: BTreeSet<String>,
    /// What tells it from others, as the owner of its tasks.
    secret: Option<String>,
}

/// Where sessions with a handshake are kept, so that any instance of a server can go on with them.
///
/// Transports that name their sessions ask it; implement it for the store that you have.
pub trait SessionStore: Send + Sync + 'static {
    /// Keeps a session under that name for so long, in place of what was kept under it.
    fn save(&self, name: &str, record: &SessionRecord, idle: Duration) -> BoxFuture<Result<(), SessionStoreError>>;

    /// The session of that name if there is one, which is kept for so long again.
    fn load(&self, name: &str, idle: Duration) -> BoxFuture<Result<Option<SessionRecord>, SessionStoreError>>;

    /// Forgets a session; says whether there was one.
    fn remove(&self, name: &str) -> BoxFuture<Result<bool, SessionStoreError>>;
}

/// Why a store of sessions failed, in its own words.
pub type SessionStoreError = Box<dyn Error + Send + Sync>;

impl Session {
    /// What this session remembers of its client.
    pub fn record(&self) -> SessionRecord {
        let shared = &self.0;
        let client = shared.client();
        SessionRecord {
            owner: None,
            revision: shared.revision().map(|revision| revision.as_str().to_owned()),
            client: client.info.clone(),
            capabilities: client.capabilities.clone(),
            log_level: LogLevel::ALL.get(usize::from(shared.log_level.load(Ordering::Acquire))).copied(),
            subscribed: shared.subscriptions.resources(),
            secret: shared.secret.get().cloned(),
        }
    }

    /// Remembers what another session did, so that this one goes on in its place.
    pub fn resume(&self, record: &SessionRecord) {
        let shared = &self.0;
        shared.meet(Client { info: record.client.clone(), capabilities: record.capabilities.clone() });
        if let Some(level) = record.log_level {
            shared.log_level.store(level as u8, Ordering::Release);
        }
        if let Some(revision) = record.revision.as_deref().and_then(Revision::parse) {
            self.agree_on(revision);
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

/// Says nothing of the secret.
impl fmt::Debug for SessionRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("SessionRecord");
        shown.field("owner", &self.owner).field("revision", &self.revision).field("client", &self.client);
        shown.finish_non_exhaustive()
    }
}
