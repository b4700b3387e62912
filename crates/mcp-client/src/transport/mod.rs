//! Transports: how messages reach a server and come back.

pub(crate) mod http;
pub(crate) mod in_process;
pub(crate) mod sse;
pub(crate) mod stdio;
pub(crate) mod stream;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use mcp_core::protocol::Revision;
use mcp_core::transport::RpcError;
use serde_json::Value;

use crate::authorize::AuthorizeError;
use crate::error::ConnectError;
use crate::inbox::Inbox;

/// A boxed future that may borrow.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Opens connections to one server. Implemented by the transports, called by the client when it connects or reconnects.
pub(crate) trait Transport: Send + Sync + 'static {
    /// Opens a connection. Messages of the server are passed to `inbox`.
    fn open(&self, inbox: Inbox) -> Boxed<'_, Result<Arc<dyn Link>, ConnectError>>;

    /// Returns whether another connection can be opened after a connection was lost.
    fn can_reopen(&self) -> bool {
        true
    }

    /// Returns whether the transport exists in stateless revisions.
    fn is_current(&self) -> bool {
        true
    }

    /// Returns whether the connection is HTTP, where the revision of 2026-07-28 repeats arguments in headers.
    fn is_http(&self) -> bool {
        false
    }
}

/// One open connection.
pub(crate) trait Link: Send + Sync + 'static {
    /// Sends a message, and reads the response where the transport has one for each message.
    ///
    /// Messages of the server are passed to the inbox. Dropping the future abandons the response.
    fn exchange(&self, message: Outgoing) -> Boxed<'_, Result<(), Failure>>;

    /// Sends a message without waiting, or drops it if too many are waiting to be sent.
    fn post(self: Arc<Self>, message: Outgoing);

    /// Called when the handshake is complete. Waits until the client can receive all messages of the server.
    fn established(self: Arc<Self>, _: Revision) -> Boxed<'static, ()> {
        Box::pin(async {})
    }

    /// Returns whether dropping an exchange tells the server that its request is cancelled.
    fn drop_cancels(&self) -> bool {
        false
    }

    /// The id of the server process, if there is one.
    fn process_id(&self) -> Option<u32> {
        None
    }

    /// Closes the connection and waits until it is closed. Dropping a link also closes it, without waiting.
    fn close(&self) -> Boxed<'_, ()>;
}

/// A message to the server.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The id, if the message is a request.
    pub(crate) id: Option<u64>,
    /// The JSON text, without a newline.
    pub(crate) json: Vec<u8>,
    /// The headers that repeat parts of a message.
    pub(crate) routing: Routing,
    /// The revision in which the message is written. `None` before the handshake.
    pub(crate) revision: Option<Revision>,
}

/// The parts of a message that HTTP repeats in headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routing {
    /// The method, if the message is a request or a notification.
    pub(crate) method: Option<String>,
    /// The name of the tool or prompt, or the URI of the resource.
    pub(crate) name: Option<String>,
    /// Arguments that the tool reads from headers, by the name of the header.
    pub(crate) arguments: Vec<(String, Value)>,
}

/// Why an exchange failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The connection is lost.
    Lost { begun: bool, reason: String },
    /// The server forgot the session. The request was not begun, and a new handshake is needed.
    SessionGone,
    /// The server answered with a protocol error.
    Rpc(RpcError),
    /// The response breaks the protocol.
    Invalid(String),
    /// The server answered this request with an HTTP status that is not a success.
    Status { status: u16, body: String, error: Option<Box<RpcError>> },
    /// The response is a redirect.
    Redirect { status: u16, location: String },
    /// Authorization failed.
    Authorize(AuthorizeError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Lost { reason, .. } | Failure::Invalid(reason) => f.write_str(reason),
            Failure::SessionGone => f.write_str("the server has forgotten the session"),
            Failure::Rpc(error) => error.fmt(f),
            Failure::Status { status, body, .. } => write!(f, "HTTP status {status}: {body}"),
            Failure::Redirect { status, location } => write!(f, "HTTP status {status} redirects to `{location}`"),
            Failure::Authorize(error) => error.fmt(f),
        }
    }
}

impl From<Failure> for ConnectError {
    fn from(failure: Failure) -> ConnectError {
        match failure {
            Failure::Lost { begun: true, reason } => ConnectError::Ended(reason),
            Failure::Lost { begun: false, reason } => ConnectError::Network(reason),
            Failure::SessionGone => ConnectError::Status { status: 404, body: String::new() },
            Failure::Rpc(error) => ConnectError::Refused(error),
            Failure::Invalid(reason) => ConnectError::Invalid(reason),
            Failure::Status { error: Some(error), .. } => ConnectError::Refused(*error),
            Failure::Status { status, body, .. } => ConnectError::Status { status, body },
            Failure::Redirect { status, location } => ConnectError::Redirect { status, location },
            Failure::Authorize(error) => ConnectError::Authorize(error),
        }
    }
}
