//! One connection to a server: sends requests, and passes responses to them.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mcp_core::protocol::Revision;
use mcp_core::transport::Id;
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use crate::inbox::Inbox;
use crate::observe::Direction;
use crate::pending::{Answered, OnAcknowledged, OnProgress, Pending};
use crate::server::ServerInfo;
use crate::shared::Shared;
use crate::transport::{Failure, Link, Outgoing, Routing};

/// One connection to a server.
pub(crate) struct Connection {
    pub(crate) shared: Arc<Shared>,
    pub(crate) pending: Pending,
    link: OnceLock<Arc<dyn Link>>,
    info: OnceLock<ServerInfo>,
    /// The tasks that handle requests of the server, so that the server can cancel them.
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
    /// Receives the filter that the server acknowledged for a subscription.
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
        Inbox::of(self)
    }

    /// Sets the link. Called once, right after the transport has opened.
    pub(crate) fn set_link(&self, link: Arc<dyn Link>) {
        let _ = self.link.set(link);
    }

    /// Sets the server info. Called once, after the handshake.
    pub(crate) fn set_info(&self, info: ServerInfo) {
        let _ = self.info.set(info);
    }

    /// Returns the server info, or `None` before the handshake is complete.
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
        // An error would mean that the sender was dropped, but `self` owns it.
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
        // Sends `notifications/cancelled` if this future is dropped.
        let cancels = request.method != "initialize";
        let stateless = revision.is_some_and(Revision::is_stateless);
        let guard = Guard { connection: self, id, cancels: cancels && !(stateless && self.link().drop_cancels()) };
        let answer = self.answer(outgoing, receiver).await;
        // The exchange may have failed before the request was sent: then there is nothing to cancel.
        self.pending.give_up(id);
        drop(guard);
        answer
    }

    async fn answer(&self, outgoing: Outgoing, mut receiver: oneshot::Receiver<Answered>) -> Answered {
        let gone = || Failure::Lost { begun: true, reason: "the connection was closed".to_owned() };
        tokio::select! {
            biased;
            answer = &mut receiver => answer.map_err(|_| gone())?,
            sent = self.exchange(outgoing) => match sent {
                Ok(()) => receiver.await.map_err(|_| gone())?,
                // The answer may have come before the exchange failed.
                Err(failure) => receiver.try_recv().unwrap_or(Err(failure)),
            },
        }
    }

    /// Sends a notification and waits until it is sent.
    pub(crate) async fn notify(&self, method: &str, params: &impl Serialize) -> Result<(), Failure> {
        self.exchange(self.notification(method, params)).await
    }

    async fn exchange(&self, message: Outgoing) -> Result<(), Failure> {
        self.shared.observe(Direction::Sent, &message.json);
        self.link().exchange(message).await
    }

    /// Sends a message without waiting.
    pub(crate) fn post(&self, message: Outgoing) {
        self.shared.observe(Direction::Sent, &message.json);
        self.link().clone().post(message);
    }

    fn notification(&self, method: &str, params: &impl Serialize) -> Outgoing {
        let routing = Routing { method: Some(method.to_owned()), ..Routing::default() };
        Outgoing { id: None, json: encode(None, method, params), routing, revision: self.revision() }
    }

    pub(crate) fn questions(&self) -> MutexGuard<'_, HashMap<Id, AbortHandle>> {
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
            connection.post(connection.notification("notifications/cancelled", &params));
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
