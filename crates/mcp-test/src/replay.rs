//! Replays a recording.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_core::IntoServer;
use mcp_core::transport::{BoxFuture, Host, Later, Message, Outbox, Outgoing, Reply, Session};
use serde_json::Value;

use crate::ThreadHost;
use crate::difference::differences;
use crate::recording::{ChangedMessage, Recording};

/// How long to wait for a message of the server that is in the recording.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// Sends the client's messages in the same order and after the same responses. Returns the messages that differ.
pub(crate) async fn replay(recording: &Recording, server: impl IntoServer) -> Vec<ChangedMessage> {
    let server = server.into_server().unwrap_or_else(|error| panic!("the server cannot be built:\n{error}"));
    let received = Arc::new(ServerMessages::default());
    let session = server.session(Arc::new(ThreadHost), received.clone());
    let mut player = Player { session, received, pending: Vec::new(), timeout: None };
    let (mut requests, mut changed) = (HashMap::new(), Vec::new());
    for recorded in &recording.messages {
        let mut was: Value = serde_json::from_str(&recorded.text).unwrap_or_default();
        if recorded.from_client {
            requests.extend(Key::of_request(&was).map(|key| (key, recorded.text.clone())));
            player.send(&recorded.text);
            continue;
        }
        // Notifications are not compared: their number depends on timing.
        let Some(key) = Key::of_server_message(&was) else {
            continue;
        };
        let differences = match player.wait_for(&key).await {
            Some(mut is) => {
                for value in [&mut was, &mut is] {
                    recording.mask.inspect(|mask| mask(value));
                }
                differences(&was, &is)
            }
            None => Vec::new(),
        };
        if !differences.is_empty() || !player.has_received(&key) {
            let request = requests.get(&key).cloned().unwrap_or_else(|| recorded.text.clone());
            changed.push(ChangedMessage { request, differences });
        }
    }
    changed
}

/// Identifies a message of the server in the recording and in the replay.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A response: the id of the client's request, or the ids of a batch.
    Response(String),
    /// A request of the server: its id.
    Request(String),
}

impl Key {
    /// Returns the key of the response to a message of the client, or `None` if it is not a request.
    fn of_request(message: &Value) -> Option<Key> {
        let is_request = message.is_array() || message.get("method").is_some();
        ids(message).filter(|_| is_request).map(Key::Response)
    }

    /// Returns the key of a message of the server, or `None` for a notification.
    fn of_server_message(message: &Value) -> Option<Key> {
        let ids = ids(message)?;
        Some(if message.get("method").is_some() { Key::Request(ids) } else { Key::Response(ids) })
    }
}

fn ids(message: &Value) -> Option<String> {
    match message {
        Value::Array(batch) => {
            let mut ids: Vec<String> = batch.iter().filter_map(ids).collect();
            ids.sort();
            (!ids.is_empty()).then(|| ids.join(" "))
        }
        message => message.get("id").map(Value::to_string),
    }
}

/// The responses and requests that the server has sent so far.
#[derive(Debug, Default)]
struct ServerMessages(Mutex<Received>);

#[derive(Debug, Default)]
struct Received {
    messages: HashMap<Key, Value>,
    waker: Option<Waker>,
}

impl ServerMessages {
    fn lock(&self) -> MutexGuard<'_, Received> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, json: &[u8]) {
        let message = serde_json::from_slice(json).expect("a server sends JSON");
        let mut received = self.lock();
        if let Some(key) = Key::of_server_message(&message) {
            received.messages.insert(key, message);
        }
        if let Some(waker) = received.waker.take() {
            waker.wake();
        }
    }
}

impl Outbox for ServerMessages {
    fn send(&self, message: Outgoing) {
        self.add(message.as_bytes());
    }
}

/// Plays the part of the client.
struct Player {
    session: Session,
    received: Arc<ServerMessages>,
    /// Requests without a response yet.
    pending: Vec<Later>,
    /// Completes when the wait for a message has taken too long.
    timeout: Option<BoxFuture<()>>,
}

impl Player {
    fn send(&mut self, text: &str) {
        match self.session.receive(Message::parse_text(text)) {
            Reply::None => {}
            Reply::Now(response) => self.received.add(response.to_json().as_bytes()),
            Reply::Later(later) => self.pending.push(later),
        }
    }

    fn has_received(&self, key: &Key) -> bool {
        self.received.lock().messages.contains_key(key)
    }

    /// Waits for a message of the server and polls all pending requests meanwhile. Returns `None` after a timeout.
    async fn wait_for(&mut self, key: &Key) -> Option<Value> {
        poll_fn(|task| self.poll_message(key, task)).await
    }

    fn poll_message(&mut self, key: &Key, task: &mut Context<'_>) -> Poll<Option<Value>> {
        self.received.lock().waker = Some(task.waker().clone());
        let received = self.received.clone();
        self.pending.retain_mut(|later| match Pin::new(later).poll(task) {
            Poll::Pending => true,
            Poll::Ready(response) => {
                response.iter().for_each(|response| received.add(response.to_json().as_bytes()));
                false
            }
        });
        if let Some(message) = self.received.lock().messages.get(key) {
            self.timeout = None;
            return Poll::Ready(Some(message.clone()));
        }
        let timeout = self.timeout.get_or_insert_with(|| ThreadHost.sleep(RESPONSE_TIMEOUT));
        match timeout.as_mut().poll(task) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => {
                self.timeout = None;
                Poll::Ready(None)
            }
        }
    }
}
