//! What a session asks of the world around it.

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

/// The clock and the threads that a session lives on.
///
/// The core names no runtime: it reads time, sleeps and runs blocking functions only through its host. Transports implement
/// this; sessions call it.
pub trait Host: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Instant;

    /// Is ready after that time.
    fn sleep(&self, time: Duration) -> BoxFuture<()>;

    /// Runs a job that may block: elsewhere, or here and now if blocking here holds up nobody.
    ///
    /// The job never panics. Dropping it unrun is allowed; the call then fails.
    fn run_blocking(&self, job: Job);

    /// Runs work that nobody waits for, beside everything else, until it is done: a task outlives the request that began it.
    ///
    /// Dropping it unfinished is allowed, when all ends.
    fn spawn(&self, work: BoxFuture<()>);

    /// The date and time, for those who read it elsewhere.
    fn date(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Where the messages go that a server sends without being asked: progress, logs, changes.
///
/// Synchronous, so that a plain `fn` can report too; an implementation queues or writes, and never blocks for long.
/// Transports implement this; sessions call it.
pub trait Outbox: Send + Sync + 'static {
    /// Sends one message.
    fn send(&self, message: Outgoing);

    /// Lets go of the connection that the client waits on; it comes back for what follows.
    ///
    /// Does nothing where a client cannot come back.
    fn release(&self) {}
}

/// A message that a server sends without being asked: one JSON object without a newline.
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

    /// The JSON text.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The JSON text.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// Drops everything: for sessions whose client cannot be told anything.
impl Outbox for () {
    fn send(&self, _: Outgoing) {}
}
