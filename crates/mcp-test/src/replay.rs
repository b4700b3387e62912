//! A recorded conversation, had again.

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
use crate::recording::{Differing, Recording};

/// How long an answer may take that was there when it was recorded.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends what the client said, in the same order and after the same answers, and gives back what is otherwise.
pub(crate) async fn replay(recording: &Recording, server: impl IntoServer) -> Vec<Differing> {
    let server = server.into_server().unwrap_or_else(|error| panic!("the server cannot be built:\n{error}"));
    let heard = Arc::new(Heard::default());
    let session = server.session(Arc::new(ThreadHost), heard.clone());
    let mut player = Player { session, heard, running: Vec::new(), alarm: None };
    let (mut asked, mut differing) = (HashMap::new(), Vec::new());
    for spoken in &recording.messages {
        let mut was: Value = serde_json::from_str(&spoken.text).unwrap_or_default();
        if spoken.by_client {
            asked.extend(Key::of_request(&was).map(|key| (key, spoken.text.clone())));
            player.send(&spoken.text);
            continue;
        }
        // How often something is reported depends on the clock.
        let Some(key) = Key::of_answer(&was) else {
            continue;
        };
        let differences = match player.answer(&key).await {
            Some(mut is) => {
                for value in [&mut was, &mut is] {
                    recording.mask.inspect(|mask| mask(value));
                }
                differences(&was, &is)
            }
            None => Vec::new(),
        };
        if !differences.is_empty() || !player.has_heard(&key) {
            let to = asked.get(&key).cloned().unwrap_or_else(|| spoken.text.clone());
            differing.push(Differing { to, differences });
        }
    }
    differing
}

/// What an answer is recognised by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The id of the client's request, or those of a batch.
    Answer(String),
    /// The id of a request of the server's own.
    Ask(String),
}

impl Key {
    /// What the answer to a client's message is recognised by.
    fn of_request(message: &Value) -> Option<Key> {
        let asks = message.is_array() || message.get("method").is_some();
        ids(message).filter(|_| asks).map(Key::Answer)
    }

    /// What a server's message is recognised by; none for notifications.
    fn of_answer(message: &Value) -> Option<Key> {
        let ids = ids(message)?;
        Some(if message.get("method").is_some() { Key::Ask(ids) } else { Key::Answer(ids) })
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

/// Everything that the server has said so far.
#[derive(Debug, Default)]
struct Heard(Mutex<Said>);

#[derive(Debug, Default)]
struct Said {
    messages: HashMap<Key, Value>,
    listener: Option<Waker>,
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, Said> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, json: &[u8]) {
        let message = serde_json::from_slice(json).expect("a server sends JSON");
        let mut said = self.lock();
        if let Some(key) = Key::of_answer(&message) {
            said.messages.insert(key, message);
        }
        if let Some(listener) = said.listener.take() {
            listener.wake();
        }
    }
}

impl Outbox for Heard {
    fn send(&self, message: Outgoing) {
        self.add(message.as_bytes());
    }
}

/// The client of a recording.
struct Player {
    session: Session,
    heard: Arc<Heard>,
    /// Calls that are not answered yet.
    running: Vec<Later>,
    /// Rings when an answer takes too long.
    alarm: Option<BoxFuture<()>>,
}

impl Player {
    fn send(&mut self, text: &str) {
        match self.session.receive(Message::parse_text(text)) {
            Reply::None => {}
            Reply::Now(response) => self.heard.add(response.to_json().as_bytes()),
            Reply::Later(later) => self.running.push(later),
        }
    }

    fn has_heard(&self, key: &Key) -> bool {
        self.heard.lock().messages.contains_key(key)
    }

    /// Waits for an answer, and drives everything that is still running meanwhile; none if it takes too long.
    async fn answer(&mut self, key: &Key) -> Option<Value> {
        poll_fn(|task| self.poll_answer(key, task)).await
    }

    fn poll_answer(&mut self, key: &Key, task: &mut Context<'_>) -> Poll<Option<Value>> {
        self.heard.lock().listener = Some(task.waker().clone());
        let heard = self.heard.clone();
        self.running.retain_mut(|later| match Pin::new(later).poll(task) {
            Poll::Pending => true,
            Poll::Ready(response) => {
                response.iter().for_each(|response| heard.add(response.to_json().as_bytes()));
                false
            }
        });
        if let Some(answer) = self.heard.lock().messages.get(key) {
            self.alarm = None;
            return Poll::Ready(Some(answer.clone()));
        }
        let alarm = self.alarm.get_or_insert_with(|| ThreadHost.sleep(PATIENCE));
        match alarm.as_mut().poll(task) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => {
                self.alarm = None;
                Poll::Ready(None)
            }
        }
    }
}
