//! The state that all connections of one client share.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use mcp_core::protocol::Revision;
use mcp_core::transport::{CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, SUBSCRIPTION_ID, TASKS};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::runtime::Handle;

use crate::cache::Cache;
use crate::event::{Change, LogMessage, Notification};
use crate::event_stream::Feed;
use crate::handler::Handler;
use crate::known_tools::KnownTools;
use crate::observe::Direction;
use crate::options::Options;

/// The state that all connections of one client share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) runtime: Handle,
    /// The id of the next request. Ids are never reused, not even on another connection.
    pub(crate) ids: AtomicU64,
    pub(crate) cache: Cache,
    pub(crate) tools: KnownTools,
    pub(crate) changes: Feed<Change>,
    pub(crate) logs: Feed<LogMessage>,
    pub(crate) updates: Feed<String>,
    pub(crate) notifications: Feed<Notification>,
}

impl Shared {
    pub(crate) fn new(options: Options, handler: Arc<dyn Handler>) -> Shared {
        Shared {
            options,
            handler,
            runtime: Handle::current(),
            ids: AtomicU64::new(1),
            cache: Cache::default(),
            tools: KnownTools::default(),
            changes: Feed::default(),
            logs: Feed::default(),
            updates: Feed::default(),
            notifications: Feed::default(),
        }
    }

    /// Adds the `_meta` entries that every request of a revision must have.
    pub(crate) fn stamp(&self, params: &mut Map<String, Value>, revision: Option<Revision>, progress_token: Option<u64>) {
        let stateless = revision.filter(|revision| revision.is_stateless());
        let trace = self.options.trace_context.as_ref().and_then(|current| current());
        if stateless.is_none() && progress_token.is_none() && trace.is_none() {
            return;
        }
        let meta = params.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
        let Some(meta) = meta.as_object_mut() else { return };
        if let Some(token) = progress_token {
            meta.insert("progressToken".into(), json!(token));
        }
        if let Some(trace) = trace {
            meta.entry("traceparent").or_insert(Value::String(trace));
        }
        if let Some(revision) = stateless {
            meta.insert(PROTOCOL_VERSION.into(), json!(revision.as_str()));
            meta.insert(CLIENT_CAPABILITIES.into(), self.capabilities(revision));
            meta.insert(CLIENT_INFO.into(), json!(self.options.client_info));
            let level = *self.options.log_level.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Some(level) = level {
                meta.entry(LOG_LEVEL).or_insert(json!(level));
            }
        }
    }

    /// Returns the capabilities of this client, in the format of a revision.
    pub(crate) fn capabilities(&self, revision: Revision) -> Value {
        let mut capabilities = self.handler.capabilities().to_json(revision);
        if revision.is_stateless() && self.options.tasks {
            capabilities["extensions"][TASKS] = json!({});
        }
        capabilities
    }

    /// Passes a message to the observer, if there is one.
    pub(crate) fn observe(&self, direction: Direction, json: &[u8]) {
        if let Some(observe) = &self.options.on_message {
            observe(direction, json);
        }
    }

    /// Handles a notification that does not belong to a request.
    pub(crate) fn notified(&self, method: &str, params: &str) {
        let change = match method {
            "notifications/tools/list_changed" => Some(Change::Tools),
            "notifications/resources/list_changed" => Some(Change::Resources),
            "notifications/prompts/list_changed" => Some(Change::Prompts),
            _ => None,
        };
        if let Some(change) = change {
            self.cache.forget(change);
            return self.changes.send(&change);
        }
        match method {
            "notifications/resources/updated" => {
                if let Ok(Updated { uri }) = serde_json::from_str(params) {
                    self.cache.forget_resource(&uri);
                    self.updates.send(&uri);
                }
            }
            "notifications/message" => {
                if let Ok(message) = serde_json::from_str(params) {
                    self.logs.send(&message);
                }
            }
            _ => {
                if let Ok(params) = serde_json::from_str(params) {
                    self.notifications.send(&Notification { method: method.to_owned(), params });
                }
            }
        }
    }
}

/// Returns the id of the subscription that a notification belongs to.
pub(crate) fn subscription_of(params: &Value) -> Option<u64> {
    params["_meta"][SUBSCRIPTION_ID].as_u64()
}

#[derive(Deserialize)]
struct Updated {
    uri: String,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("options", &self.options).finish_non_exhaustive()
    }
}
