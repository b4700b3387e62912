//! One connection to a server: sends requests, and routes what comes back.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use mcp_core::protocol::Revision;
use mcp_core::transport::{Code, Id, Message, RpcError};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use crate::pending::{Answered, OnAcknowledged, OnProgress, Pending};
use crate::server::ServerInfo;
use crate::shared::{Shared, subscription_of};
use crate::transport::{Failure, Link, Outgoing, Routing};

/// How many requests of the server may run at the same time.
const MOST_QUESTIONS: usize = 16;

/// One connection to a server.
pub(crate) struct Connection {
    pub(crate) shared: Arc<Shared>,
    pending: Pending,
    link: OnceLock<Arc<dyn Link>>,
    info: OnceLock<ServerInfo>,
    /// The requests of the server that run, so that it can cancel them.
    questions: Mutex<HashMap<Id, AbortHandle>>,
    lost: watch::Sender<bool>,
}

/// A request before it has an id.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) params: Map<String, Value>,
    pub(crate) routing: Routing,
    pub(crate) progress: Option<OnProgress>,
    /// Receives what a server has agreed to tell on a stream of changes.
    pub(crate) acknowledged: Option<OnAcknowledged>,
}

impl Request {
    pub(crate) fn new(method: &'static str, params: Map<String, Value>) -> Request {
        Request { method, params, routing: Routing::default(), progress: None, acknowledged: None }
    }

    /// Sets the name that HTTP repeats in a header.
    pub(crate) fn named(mut self, name: &str) -> Request {
        self.routing.name = Some(name.to_owned());
        self
    }
}

impl Connection {
    pub(crate) fn new(shared: Arc<Shared>) -> Arc<Connection> {
        Arc::new(Connection {
            shared,
            pending: Pending::default(),
            link: OnceLock::new(),
            info: OnceLock::new(),
            questions: Mutex::default(),
            lost: watch::Sender::new(false),
        })
    }

    pub(crate) fn inbox(self: &Arc<Connection>) -> Inbox {
        Inbox(Arc::downgrade(self))
    }

    /// Sets the link. Called once, right after the transport has opened.
    pub(crate) fn set_link(&self, link: Arc<dyn Link>) {
        let _ = self.link.set(link);
    }

    /// Sets what the handshake found out. Called once.
    pub(crate) fn set_info(&self, info: ServerInfo) {
        let _ = self.info.set(info);
    }

    /// What the server said of itself. `None` before the handshake is complete.
    pub(crate) fn info(&self) -> Option<&ServerInfo> {
        self.info.get()
    }

    pub(crate) fn revision(&self) -> Option<Revision> {
        self.info.get().map(|info| info.revision)
    }

    pub(crate) fn link(&self) -> &Arc<dyn Link> {
        self.link.get().expect("the link is set before the connection is used")
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.pending.is_lost()
    }

    /// Waits until the connection is lost.
    pub(crate) async fn until_lost(&self) {
        // An error means that the sender is gone, which cannot be while `self` is borrowed.
        let _ = self.lost.subscribe().wait_for(|lost| *lost).await;
    }

    /// Fails all pending requests, and every later one.
    pub(crate) fn lose(&self, reason: &str) {
        if self.pending.lose(reason) {
            tracing::debug!(reason, "the connection to the server is lost");
            self.questions().drain().for_each(|(_, task)| task.abort());
            self.lost.send_replace(true);
        }
    }

    /// Sends a request and waits for its answer. Dropping the future cancels the request.
    pub(crate) async fn request(&self, request: &Request, revision: Option<Revision>) -> Answered {
        let id = self.shared.ids.fetch_add(1, Ordering::Relaxed);
        let mut params = request.params.clone();
        self.shared.stamp(&mut params, revision, request.progress.is_some().then_some(id));
        let mut routing = request.routing.clone();
        routing.method = Some(request.method.to_owned());
        let json = encode(Some(id), request.method, &params);
        let outgoing = Outgoing { id: Some(id), json, routing, revision };

        let receiver = self.pending.add(id, request.progress.clone(), request.acknowledged.clone())?;
        // Tells the server if this future is dropped.
        let cancels = request.method != "initialize";
        let stateless = revision.is_some_and(Revision::is_stateless);
        let guard = Guard { connection: self, id, cancels: cancels && !(stateless && self.link().drop_cancels()) };
        let answer = self.answer(outgoing, receiver).await;
        // The exchange may have failed without an answer: then there is nothing to cancel.
        self.pending.give_up(id);
        drop(guard);
        answer
    }

    async fn answer(&self, outgoing: Outgoing, mut receiver: oneshot::Receiver<Answered>) -> Answered {
        let gone = || Failure::Lost { begun: true, reason: "the connection was closed".to_owned() };
        tokio::select! {
            biased;
            answer = &mut receiver => answer.map_err(|_| gone())?,
            sent = self.link().exchange(outgoing) => match sent {
                Ok(()) => receiver.await.map_err(|_| gone())?,
                // The answer may have come before the exchange failed.
                Err(failure) => receiver.try_recv().unwrap_or(Err(failure)),
            },
        }
    }

    /// Sends a notification and waits until it is sent.
    pub(crate) async fn notify(&self, method: &str, params: &impl Serialize) -> Result<(), Failure> {
        self.link().exchange(self.notification(method, params)).await
    }

    fn notification(&self, method: &str, params: &impl Serialize) -> Outgoing {
        let routing = Routing { method: Some(method.to_owned()), ..Routing::default() };
        Outgoing { id: None, json: encode(None, method, params), routing, revision: self.revision() }
    }

    fn questions(&self) -> MutexGuard<'_, HashMap<Id, AbortHandle>> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.questions().drain().for_each(|(_, task)| task.abort());
    }
}

/// Cancels a request that is dropped before its answer.
struct Guard<'a> {
    connection: &'a Connection,
    id: u64,
    cancels: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let connection = self.connection;
        if connection.pending.give_up(self.id) == Some(true) && self.cancels {
            let params = serde_json::json!({"requestId": self.id, "reason": "the caller no longer waits for the answer"});
            connection.link().clone().post(connection.notification("notifications/cancelled", &params));
        }
    }
}

fn encode(id: Option<u64>, method: &str, params: &impl Serialize) -> Vec<u8> {
    #[derive(Serialize)]
    struct Wire<'a, P> {
        jsonrpc: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        method: &'a str,
        params: &'a P,
    }
    serde_json::to_vec(&Wire { jsonrpc: "2.0", id, method, params }).expect("JSON values are JSON")
}

/// The way from a link to its connection. Does not keep the connection alive.
#[derive(Clone)]
pub(crate) struct Inbox(Weak<Connection>);

impl Inbox {
    /// Handles one message of the server. Returns `false` if the connection is gone, so that the reader can stop.
    pub(crate) fn receive(&self, message: &[u8]) -> bool {
        self.handle(Message::parse(message))
    }

    /// Handles a message that was over the limit.
    pub(crate) fn oversized(&self, head: &[u8], length: usize, limit: usize) -> bool {
        self.handle(Message::oversized(head, length, limit))
    }

    /// The largest message that the client accepts.
    pub(crate) fn message_limit(&self) -> usize {
        self.0.upgrade().map_or(0, |connection| connection.shared.options.message_limit)
    }

    /// Drops cached results, because the credentials have changed.
    pub(crate) fn clear_cache(&self) {
        if let Some(connection) = self.0.upgrade() {
            connection.shared.cache.clear();
        }
    }

    /// Returns whether the connection is gone or lost.
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
                    tracing::debug!("dropped an answer that no request waits for");
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
        self.link().clone().post(outgoing);
    }
}

/// Returns the number of one of our ids.
fn number(id: &Id) -> Option<u64> {
    id.as_json().parse().ok()
}

fn read_error(json: &str) -> Failure {
    match serde_json::from_str(json) {
        Ok(error) => Failure::Rpc(error),
        Err(_) => Failure::Invalid("the error object has no code or message".to_owned()),
    }
}
