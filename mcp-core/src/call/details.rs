//! The rarely used part of a call's state.

use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;

use crate::ask::Parked;
use crate::call::progress::Progress;
use crate::host::Outbox;
use crate::protocol::Client;
use crate::server::Server;
use crate::session::principal::Principal;
use crate::task::Run;

/// The rarely used part of a call's state. It is boxed and optional, which keeps the state of simple calls small.
#[derive(Default)]
pub(crate) struct CallDetails {
    /// The server as it was when the call started, if the server is live.
    pub(crate) server: Option<Server>,
    /// The outbox for messages of this call, if it is not the outbox of the session.
    pub(crate) outbox: Option<Arc<dyn Outbox>>,
    /// The URI of `resources/read`.
    pub(crate) uri: Option<Box<str>>,
    pub(crate) progress: Option<Mutex<Progress>>,
    /// The client info and capabilities. Those of a handshake are copied on first use.
    pub(crate) client: OnceLock<Arc<Client>>,
    /// The authenticated identity of the client.
    pub(crate) principal: Option<Principal>,
    /// The questions of the call and their answers. Created on first use.
    pub(crate) parked: OnceLock<Mutex<Parked>>,
    /// The task, if the call runs as one.
    pub(crate) task: OnceLock<Arc<Run>>,
    /// The `_meta` of notifications about the call, if it runs as a task.
    pub(crate) related: OnceLock<Value>,
    /// The `_meta` of the request as JSON text.
    pub(crate) meta: Option<Box<str>>,
}
