//! Change notifications: which changes each client subscribed to, and how they are sent.

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

/// A change that clients can subscribe to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    /// The content of the resource with this URI.
    Resource(String),
    Task {
        id: String,
        /// The parameters of the notification.
        state: Map<String, Value>,
    },
}

/// The changes that a client subscribes to: the `notifications` parameter of `subscriptions/listen`.
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
    /// Returns whether the client subscribes to tasks.
    pub(crate) fn names_tasks(&self) -> bool {
        !self.task_ids.is_empty()
    }

    /// Keeps only the changes that this server sends, and only running tasks of this owner.
    pub(crate) fn supported_by(self, server: &Server, owner: &str) -> Filter {
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
            Change::Task { id, .. } => self.task_ids.contains(id),
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
            Change::Task { state, .. } => (methods::TASK_CHANGED, state.clone()),
        };
        if let Some(id) = stream {
            params.insert("_meta".into(), stamp(id));
        }
        Outgoing::notification(method, &params)
    }
}

/// Returns the `_meta` that tells the client to which subscription a notification belongs.
fn stamp(stream: &Id) -> Value {
    let id: Value = serde_json::from_str(&stream.as_json()).unwrap_or_default();
    json!({ meta::SUBSCRIPTION_ID: id })
}

/// The subscriptions of one session.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    /// Whether the session is in the list of [`Subscribers`] already.
    is_subscriber: AtomicBool,
    wanted: Mutex<Wanted>,
}

#[derive(Debug, Default)]
struct Wanted {
    /// Resources that a client with a handshake subscribed to.
    resources: HashSet<String>,
    /// The open streams of `subscriptions/listen`.
    streams: Vec<Stream>,
}

/// One open stream of `subscriptions/listen`.
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
    /// Returns the resources that a client with a handshake subscribed to.
    pub(crate) fn resources(&self) -> BTreeSet<String> {
        self.wanted().resources.iter().cloned().collect()
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Subscribes the client to changes of this resource.
    pub(crate) fn subscribe(self: &Arc<Shared>, server: &Server, uri: String) {
        server.subscribers.add(self);
        self.subscriptions.wanted().resources.insert(uri);
    }

    /// Removes the subscription to this resource.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        self.subscriptions.wanted().resources.remove(uri);
    }

    /// Opens a stream of changes and sends the acknowledgement. The stream ends when the returned value is dropped.
    pub(crate) fn listen(
        self: &Arc<Shared>,
        server: &Server,
        outbox: &Arc<dyn Outbox>,
        id: &Id,
        filter: Filter,
    ) -> Listening {
        server.subscribers.add(self);
        let params = json!({"_meta": stamp(id), "notifications": filter});
        outbox.send(Outgoing::notification(methods::SUBSCRIBED, &params));
        self.subscriptions.wanted().streams.push(Stream { id: id.clone(), filter, outbox: outbox.clone() });
        Listening { session: Arc::downgrade(self), id: id.clone() }
    }

    /// Notifies the client of a change on every stream that subscribed to it.
    fn notify(&self, change: &Change) {
        let wanted = self.subscriptions.wanted();
        let mut messages: Vec<(Arc<dyn Outbox>, Outgoing)> = wanted
            .streams
            .iter()
            .filter(|stream| stream.filter.wants(change))
            .map(|stream| (stream.outbox.clone(), change.notification(Some(&stream.id))))
            .collect();
        let by_handshake = match change {
            Change::Resource(uri) => wanted.resources.contains(uri),
            Change::Task { .. } => false,
            _ => self.revision().is_some(),
        };
        if by_handshake {
            messages.push((self.outbox.clone(), change.notification(None)));
        }
        // Release the lock first: an outbox may block or call back into the session.
        drop(wanted);
        for (outbox, message) in messages {
            outbox.send(message);
        }
    }
}

/// Keeps a stream of changes open. Dropping it closes the stream.
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

/// The sessions that a server notifies of changes.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Mutex<Vec<Weak<Shared>>>);

impl Subscribers {
    /// Adds a session unless it is in the list already, and removes sessions that have ended.
    pub(crate) fn add(&self, session: &Arc<Shared>) {
        if session.subscriptions.is_subscriber.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|session| session.strong_count() > 0);
        sessions.push(Arc::downgrade(session));
    }

    /// Notifies all sessions of these changes.
    pub(crate) fn notify(&self, changes: &[Change]) {
        let sessions: Vec<_> =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
        for session in sessions {
            changes.iter().for_each(|change| session.notify(change));
        }
    }
}

/// Parses the `notifications` parameter of `subscriptions/listen`.
pub(crate) fn filter(raw: Option<RawJson<'_>>) -> Option<Filter> {
    serde_json::from_str(raw?.get()).ok()
}
