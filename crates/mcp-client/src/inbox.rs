//! Handles messages of the server: responses, notifications, and requests to the client.

use std::sync::{Arc, Weak};

use mcp_core::protocol::Revision;
use mcp_core::transport::{Code, Id, Message, RpcError};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::connection::Connection;
use crate::observe::Direction;
use crate::shared::subscription_of;
use crate::transport::{Failure, Outgoing, Routing};

/// The maximum number of server requests that are handled at the same time.
const MOST_QUESTIONS: usize = 16;

/// A weak reference from a transport to its connection.
#[derive(Clone)]
pub(crate) struct Inbox(Weak<Connection>);

impl Inbox {
    pub(crate) fn of(connection: &Arc<Connection>) -> Inbox {
        Inbox(Arc::downgrade(connection))
    }

    /// Handles one message of the server. Returns `false` if the connection was dropped, so that the reader can stop.
    pub(crate) fn receive(&self, message: &[u8]) -> bool {
        if let Some(connection) = self.0.upgrade() {
            connection.shared.observe(Direction::Received, message);
        }
        self.handle(Message::parse(message))
    }

    /// Handles a message that was over the limit.
    pub(crate) fn oversized(&self, head: &[u8], length: usize, limit: usize) -> bool {
        self.handle(Message::oversized(head, length, limit))
    }

    /// Returns the maximum size of a message in bytes.
    pub(crate) fn message_limit(&self) -> usize {
        self.0.upgrade().map_or(0, |connection| connection.shared.options.message_limit)
    }

    /// Drops cached results, because the credentials have changed.
    pub(crate) fn clear_cache(&self) {
        if let Some(connection) = self.0.upgrade() {
            connection.shared.cache.clear();
        }
    }

    /// Returns whether the connection was dropped or lost.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.upgrade().is_none_or(|connection| connection.is_lost())
    }

    /// Records that a request is being sent.
    pub(crate) fn begin(&self, id: Option<u64>) {
        if let (Some(connection), Some(id)) = (self.0.upgrade(), id) {
            connection.pending.begin(id);
        }
    }

    /// Returns whether a request still waits for its answer.
    pub(crate) fn is_waiting(&self, id: Option<u64>) -> bool {
        id.is_some_and(|id| self.0.upgrade().is_some_and(|connection| connection.pending.is_waiting(id)))
    }

    /// Reports that the connection is lost.
    pub(crate) fn lose(&self, reason: &str) {
        if let Some(connection) = self.0.upgrade() {
            connection.lose(reason);
        }
    }

    fn handle(&self, message: Message<'_>) -> bool {
        let Some(connection) = self.0.upgrade() else {
            return false;
        };
        connection.receive(message);
        true
    }
}

impl Connection {
    fn receive(self: &Arc<Connection>, message: Message<'_>) {
        match message {
            Message::Response(answer) => {
                let result = match answer.result {
                    Ok(result) => Ok(result.to_boxed()),
                    Err(error) => Err(read_error(error.get())),
                };
                if !answer.id.as_ref().and_then(number).is_some_and(|id| self.pending.answer(id, result)) {
                    tracing::debug!("dropped a response without a pending request");
                }
            }
            Message::Notification(note) => {
                let params = note.params.raw().map_or("{}", |raw| raw.get());
                self.notified(&note.method, params);
            }
            Message::Request(question) => {
                let params = question.params.raw().map_or("{}", |raw| raw.get()).to_owned();
                self.asked(question.id, &question.method, params);
            }
            Message::Batch(messages) => messages.into_iter().for_each(|message| self.receive(message)),
            Message::Malformed(malformed) => {
                let failure = Failure::Invalid(malformed.error.message.clone());
                if !malformed.id.as_ref().and_then(number).is_some_and(|id| self.pending.answer(id, Err(failure))) {
                    tracing::debug!(reason = malformed.error.message, "dropped a message that is not JSON-RPC");
                }
            }
            _ => {}
        }
    }

    fn notified(self: &Arc<Connection>, method: &str, params: &str) {
        match method {
            "notifications/progress" => {
                let Ok(progress) = serde_json::from_str::<crate::call::ProgressParams>(params) else { return };
                if let Some(receiver) = progress.token().and_then(|id| self.pending.progress(id)) {
                    receiver(progress.progress);
                }
            }
            "notifications/cancelled" => {
                #[derive(serde::Deserialize)]
                #[serde(rename_all = "camelCase")]
                struct Params<'a> {
                    #[serde(borrow)]
                    request_id: &'a RawValue,
                }
                let id =
                    serde_json::from_str::<Params<'_>>(params).ok().and_then(|read| Id::from_json(read.request_id.get()));
                if let Some(task) = id.and_then(|id| self.questions().remove(&id)) {
                    task.abort();
                }
            }
            "notifications/subscriptions/acknowledged" => {
                let Ok(mut params) = serde_json::from_str::<Value>(params) else { return };
                if let Some(receiver) = subscription_of(&params).and_then(|id| self.pending.acknowledged(id)) {
                    receiver(params["notifications"].take());
                }
            }
            _ => self.shared.notified(method, params),
        }
    }

    /// Handles a request of the server.
    fn asked(self: &Arc<Connection>, id: Id, method: &str, params: String) {
        if self.revision().is_some_and(Revision::is_stateless) {
            return self.reply(&id, Err(RpcError::new(Code::METHOD_NOT_FOUND, "2026-07-28 has no requests to the client")));
        }
        if method == "ping" {
            return self.reply(&id, Ok(Value::Object(Map::new())));
        }
        let mut questions = self.questions();
        questions.retain(|_, task| !task.is_finished());
        let refusal = match questions.len() {
            _ if questions.contains_key(&id) => Some(RpcError::invalid_request("duplicate request id")),
            MOST_QUESTIONS.. => {
                Some(RpcError::new(Code::BUSY, format!("more than {MOST_QUESTIONS} requests to the client")))
            }
            _ => None,
        };
        if let Some(error) = refusal {
            drop(questions);
            return self.reply(&id, Err(error));
        }
        let (connection, method, asked) = (Arc::downgrade(self), method.to_owned(), id.clone());
        let shared = self.shared.clone();
        let task = self.shared.runtime.spawn(async move {
            let answer = shared.handler.answer(&method, &params).await;
            if let Some(connection) = connection.upgrade() {
                connection.reply(&asked, answer);
            }
        });
        questions.insert(id, task.abort_handle());
    }

    fn reply(&self, id: &Id, answer: Result<Value, RpcError>) {
        #[derive(Serialize)]
        struct Wire<'a> {
            jsonrpc: &'static str,
            id: &'a RawValue,
            #[serde(skip_serializing_if = "Option::is_none")]
            result: Option<Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<RpcError>,
        }
        let raw = RawValue::from_string(id.as_json().into_owned()).expect("an id is JSON");
        let (result, error) = match answer {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        let json = serde_json::to_vec(&Wire { jsonrpc: "2.0", id: &raw, result, error }).expect("JSON values are JSON");
        let outgoing = Outgoing { id: None, json, routing: Routing::default(), revision: self.revision() };
        self.post(outgoing);
    }
}

/// Returns the number, if the id is an id of this client.
fn number(id: &Id) -> Option<u64> {
    id.as_json().parse().ok()
}

fn read_error(json: &str) -> Failure {
    match serde_json::from_str(json) {
        Ok(error) => Failure::Rpc(error),
        Err(_) => Failure::Invalid("the error object has no code or message".to_owned()),
    }
}
