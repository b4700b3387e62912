//! Clients that want to know what changes.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::host::{Outbox, Outgoing};
use crate::jsonrpc::methods;
use crate::jsonrpc::{Id, RawJson};
use crate::protocol::meta;
use crate::server::Server;
use crate::session::Shared;

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    /// What a resource holds.
    Resource(String),
    /// How a task stands: its id, and all that is to be told of it.
    Task(String, Map<String, Value>),
}

/// Which changes a client wants to know, in the words of `subscriptions/listen`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Filter {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_subscriptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    task_ids: Vec<String>,
}

impl Filter {
    /// Whether it is about tasks too.
    pub(crate) fn names_tasks(&self) -> bool {
        !self.task_ids.is_empty()
    }

    /// What of it that server can honour, for that owner of tasks.
    pub(crate) fn honoured_by(self, server: &Server, owner: &str) -> Filter {
        let changes = server.live.is_some();
        Filter {
            tools_list_changed: self.tools_list_changed && changes,
            prompts_list_changed: self.prompts_list_changed && changes,
            resources_list_changed: self.resources_list_changed && changes,
            resource_subscriptions: if server.offers_resources() { self.resource_subscriptions } else { Vec::new() },
            task_ids: self.task_ids.into_iter().filter(|id| server.tasks.running(id, owner).is_some()).collect(),
        }
    }

    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Tools => self.tools_list_changed,
            Change::Prompts => self.prompts_list_changed,
            Change::Resources => self.resources_list_changed,
            Change::Resource(uri) => self.resource_subscriptions.contains(uri),
            Change::Task(id, _) => self.task_ids.contains(id),
        }
    }
}

impl Change {
    fn notification(&self, stream: Option<&Id>) -> Outgoing {
        let (method, mut params) = match self {
            Change::Tools => (methods::TOOLS_CHANGED, Map::new()),
            Change::Prompts => (methods::PROMPTS_CHANGED, Map::new()),
            Change::Resources => (methods::RESOURCES_CHANGED, Map::new()),
            Change::Resource(uri) => (methods::RESOURCE_UPDATED, Map::from_iter([("uri".to_owned(), json!(uri))])),
            Change::Task(_, state) => (methods::TASK_CHANGED, state.clone()),
        };
        if let Some(id) = stream {
            params.insert("_meta".into(), stamp(id));
        }
        Outgoing::notification(method, &params)
    }
}

/// Says on which stream a notification comes.
fn stamp(stream: &Id) -> Value {
    let id: Value = serde_json::from_str(&stream.as_json()).unwrap_or_default();
    json!({ meta::SUBSCRIPTION_ID: id })
}

/// What one client wants to know.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    follows: AtomicBool,
    wanted: Mutex<Wanted>,
}

#[derive(Debug, Default)]
struct Wanted {
    /// Resources that a client with a handshake subscribed to.
    resources: HashSet<String>,
    /// The streams of `subscriptions/listen`.
    streams: Vec<Stream>,
}

/// One of them: who is told what, and where.
struct Stream {
    id: Id,
    filter: Filter,
    outbox: Arc<dyn Outbox>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("id", &self.id).field("filter", &self.filter).finish_non_exhaustive()
    }
}

impl Subscriptions {
    /// The resources that a client with a handshake subscribed to.
    pub(crate) fn resources(&self) -> BTreeSet<String> {
        self.wanted().resources.iter().cloned().collect()
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// The client wants to know when that resource changes.
    pub(crate) fn subscribe(self: &Arc<Shared>, server: &Server, uri: String) {
        server.audience.admit(self);
        self.subscriptions.wanted().resources.insert(uri);
    }

    /// The client no longer wants to know.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        self.subscriptions.wanted().resources.remove(uri);
    }

    /// Opens a stream of changes, beginning with the word that it is open; it ends when what comes back is dropped.
    pub(crate) fn listen(
        self: &Arc<Shared>,
        server: &Server,
        outbox: &Arc<dyn Outbox>,
        id: &Id,
        filter: Filter,
    ) -> Listening {
        server.audience.admit(self);
        let params = json!({"_meta": stamp(id), "notifications": filter});
        outbox.send(Outgoing::notification(methods::SUBSCRIBED, &params));
        self.subscriptions.wanted().streams.push(Stream { id: id.clone(), filter, outbox: outbox.clone() });
        Listening { session: Arc::downgrade(self), id: id.clone() }
    }

    /// Tells the client of a change, if it wants to know.
    fn tell(&self, change: &Change) {
        let wanted = self.subscriptions.wanted();
        let mut messages: Vec<(Arc<dyn Outbox>, Outgoing)> = wanted
            .streams
            .iter()
            .filter(|stream| stream.filter.wants(change))
            .map(|stream| (stream.outbox.clone(), change.notification(Some(&stream.id))))
            .collect();
        let by_handshake = match change {
            Change::Resource(uri) => wanted.resources.contains(uri),
            Change::Task(..) => false,
            _ => self.revision().is_some(),
        };
        if by_handshake {
            messages.push((self.outbox.clone(), change.notification(None)));
        }
        drop(wanted);
        for (outbox, message) in messages {
            outbox.send(message);
        }
    }
}

/// An open stream of changes.
pub(crate) struct Listening {
    session: Weak<Shared>,
    id: Id,
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(session) = self.session.upgrade() {
            session.subscriptions.wanted().streams.retain(|stream| stream.id != self.id);
        }
    }
}

/// The sessions that a server tells of changes.
#[derive(Debug, Default)]
pub(crate) struct Audience(Mutex<Vec<Weak<Shared>>>);

impl Audience {
    /// A session that wants to know, once. Those that have ended are forgotten.
    pub(crate) fn admit(&self, session: &Arc<Shared>) {
        if session.subscriptions.follows.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|session| session.strong_count() > 0);
        sessions.push(Arc::downgrade(session));
    }

    pub(crate) fn tell(&self, changes: &[Change]) {
        let sessions: Vec<_> =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
        for session in sessions {
            changes.iter().for_each(|change| session.tell(change));
        }
    }
}

/// Reads what a client wants to know.
pub(crate) fn filter(raw: Option<RawJson<'_>>) -> Option<Filter> {
    serde_json::from_str(raw?.get()).ok()
}
