//! The services that a transport provides to a session: clock, timers, threads, and a way to send messages.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::jsonrpc::Id;

/// A boxed future that can move between threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Work that may block the thread it runs on.
pub type Job = Box<dyn FnOnce() + Send>;

/// Clock, timers and threads for a session.
///
/// mcp-core depends on no async runtime: it reads time, sleeps and runs blocking functions only through its host. Transports
/// implement this trait, and sessions call it.
pub trait Host: Send + Sync + 'static {
    /// Returns the current time.
    fn now(&self) -> Instant;

    /// Returns a future that is ready after this time.
    fn sleep(&self, time: Duration) -> BoxFuture<()>;

    /// Runs a job that may block: on another thread, or on the current one if blocking it delays nothing else.
    ///
    /// The job never panics. The host may drop it without running it: the call then fails with an error.
    fn run_blocking(&self, job: Job);

    /// Runs a future in the background until it is ready, for example a task, which outlives the request that created it.
    ///
    /// The host may drop it before it is ready, at shutdown.
    fn spawn(&self, work: BoxFuture<()>);

    /// Returns the date and time, for timestamps that clients read.
    fn date(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Sends the notifications and requests of a server to the client: progress, logs, changes, questions.
///
/// The methods are not async, so that a plain `fn` can report progress too. An implementation queues or writes the message
/// and never blocks for long. Transports implement this trait, and sessions call it.
pub trait Outbox: Send + Sync + 'static {
    /// Sends one message.
    fn send(&self, message: Outgoing);

    /// Closes the connection on which the client waits. The client reconnects to get the messages that follow.
    ///
    /// Does nothing if the client cannot reconnect.
    fn release(&self) {}
}

/// A notification or request from the server to the client: one JSON object without a newline.
#[derive(Clone, PartialEq, Eq)]
pub struct Outgoing(Vec<u8>);

impl Outgoing {
    pub(crate) fn notification(method: &str, params: &impl Serialize) -> Outgoing {
        Outgoing::write(None, method, params)
    }

    pub(crate) fn request(id: &Id, method: &str, params: &impl Serialize) -> Outgoing {
        Outgoing::write(Some(id), method, params)
    }

    fn write(id: Option<&Id>, method: &str, params: &impl Serialize) -> Outgoing {
        #[derive(Serialize)]
        struct Wire<'a, P> {
            jsonrpc: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<&'a RawValue>,
            method: &'a str,
            params: &'a P,
        }
        let id = id.and_then(|id| RawValue::from_string(id.as_json().into_owned()).ok());
        Outgoing(serde_json::to_vec(&Wire { jsonrpc: "2.0", id: id.as_deref(), method, params }).unwrap_or_default())
    }

    /// Returns the JSON text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Converts into the JSON text.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Drops all messages: for clients that can receive only responses.
impl Outbox for () {
    fn send(&self, _: Outgoing) {}
}
