//! What only some calls have.

use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;

use crate::ask::Parked;
use crate::call::progress::Progress;
use crate::host::Outbox;
use crate::protocol::Client;
use crate::server::Server;
use crate::session::principal::Principal;
use crate::task::Run;

/// What only some calls have, apart from the others so that these need not carry the room for it around.
#[derive(Default)]
pub(crate) struct CallDetails {
    /// The server as it was when the call began, if the session's may change.
    pub(crate) server: Option<Server>,
    /// Where to say what belongs to this very call, if that is not where the session says everything.
    pub(crate) outbox: Option<Arc<dyn Outbox>>,
    /// The address that is read.
    pub(crate) uri: Option<Box<str>>,
    pub(crate) progress: Option<Mutex<Progress>>,
    /// What the client says of itself; that of a handshake is looked up when it is first needed.
    pub(crate) client: OnceLock<Arc<Client>>,
    /// In whose name the call is made.
    pub(crate) principal: Option<Principal>,
    /// What was asked in the call; made when it is first needed.
    pub(crate) parked: OnceLock<Mutex<Parked>>,
    /// The task that the call has become.
    pub(crate) task: OnceLock<Arc<Run>>,
    /// What is said about the call says to which task it belongs.
    pub(crate) related: OnceLock<Value>,
    /// The request's `_meta`: JSON.
    pub(crate) meta: Option<Box<str>>,
}
