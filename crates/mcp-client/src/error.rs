//! Errors of calls and connections.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::ToolResult;
use mcp_core::caller::ToolCallError;
use mcp_core::transport::RpcError;

use crate::authorize::AuthorizeError;

/// An error of a request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The server answered with a protocol error.
    Rpc(RpcError),
    /// The tool returned a result with `isError`. Only calls that return a Rust type report it as an error.
    Tool(Box<ToolResult>),
    /// There is no connection and none could be opened. The request was not sent.
    Connect(Arc<ConnectError>),
    /// The connection was lost before the answer came.
    Lost {
        /// Whether the server may have begun the request. If false, repeating it has no second effect.
        begun: bool,
        /// The reason why the connection was lost.
        reason: String,
    },
    /// There was no response within the timeout. The client cancelled the request.
    Timeout(Duration),
    /// The response breaks the protocol: `reason` names the fault. For a server in this process, also a request that the server
    /// cancelled without a response.
    Invalid {
        /// The method of the request.
        method: String,
        /// The fault of the response.
        reason: String,
    },
    /// The structured output of a tool does not match its output schema.
    Output {
        /// The name of the tool.
        tool: String,
        /// One line for each violation.
        reason: String,
    },
    /// The arguments cannot be serialized as JSON, or a result cannot be read as the requested type.
    Convert(String),
    /// The server or its revision does not support the request. It was not sent.
    Unsupported(String),
    /// The client was closed.
    Closed,
}

impl CallError {
    /// Returns whether the server certainly did not begin to process the request.
    ///
    /// Only then is it safe to repeat a request that has side effects.
    pub fn not_begun(&self) -> bool {
        matches!(
            self,
            CallError::Connect(_)
                | CallError::Lost { begun: false, .. }
                | CallError::Unsupported(_)
                | CallError::Convert(_)
                | CallError::Closed
        )
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Rpc(error) => write!(f, "the server answered with an error: {error}"),
            CallError::Tool(result) => write!(f, "the tool failed: {}", result.to_text()),
            CallError::Connect(error) => write!(f, "cannot connect to the server: {error}"),
            CallError::Lost { begun: true, reason } => {
                write!(f, "the connection was lost and the server may have begun the request: {reason}")
            }
            CallError::Lost { begun: false, reason } => {
                write!(f, "the connection was lost before the request was sent: {reason}")
            }
            CallError::Timeout(after) => write!(f, "no answer within {after:?}"),
            CallError::Invalid { method, reason } => write!(f, "invalid answer to `{method}`: {reason}"),
            CallError::Output { tool, reason } => {
                write!(f, "the structured output of `{tool}` does not match its output schema:\n{reason}")
            }
            CallError::Convert(reason) => f.write_str(reason),
            CallError::Unsupported(reason) => f.write_str(reason),
            CallError::Closed => f.write_str("the client was closed"),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CallError::Rpc(error) => Some(error),
            CallError::Connect(error) => Some(&**error),
            _ => None,
        }
    }
}

impl From<RpcError> for CallError {
    fn from(error: RpcError) -> CallError {
        CallError::Rpc(error)
    }
}

impl From<ConnectError> for CallError {
    fn from(error: ConnectError) -> CallError {
        CallError::Connect(Arc::new(error))
    }
}

/// An error of connecting.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// The options are invalid, for example a URL that is not HTTP.
    Options(String),
    /// The server process cannot be started.
    Start {
        /// The path or name of the program.
        program: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The connection ended before the handshake was complete. For a process, its exit status and the end of its standard
    /// error are included.
    Ended(String),
    /// The handshake took too long.
    Timeout(Duration),
    /// The server refused the handshake.
    Refused(RpcError),
    /// The server and the client have no revision in common.
    Revision(String),
    /// A response of the server breaks the protocol.
    Invalid(String),
    /// The HTTP request failed without a response.
    Network(String),
    /// The server answered with an HTTP status that is not a success.
    Status {
        /// The HTTP status code.
        status: u16,
        /// The beginning of the response body.
        body: String,
    },
    /// The response is a redirect. Redirects are not followed, because they could lead to an internal address.
    Redirect {
        /// The HTTP status code.
        status: u16,
        /// The target of the redirect.
        location: String,
    },
    /// Authorization failed.
    Authorize(AuthorizeError),
    /// The connection was lost, and this many attempts to restore it failed.
    GaveUp {
        /// The number of failed attempts.
        attempts: u32,
        /// The error of the last attempt.
        last: Box<ConnectError>,
    },
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Options(reason) | ConnectError::Revision(reason) => f.write_str(reason),
            ConnectError::Start { program, error } => write!(f, "cannot start `{program}`: {error}"),
            ConnectError::Ended(reason) => write!(f, "the connection ended during the handshake: {reason}"),
            ConnectError::Timeout(after) => write!(f, "no handshake within {after:?}"),
            ConnectError::Refused(error) => write!(f, "the server refused the handshake: {error}"),
            ConnectError::Invalid(reason) => write!(f, "the server's answer breaks the protocol: {reason}"),
            ConnectError::Network(reason) => write!(f, "the HTTP request failed: {reason}"),
            ConnectError::Status { status, body } if body.is_empty() => write!(f, "HTTP status {status}"),
            ConnectError::Status { status, body } => write!(f, "HTTP status {status}: {body}"),
            ConnectError::Redirect { status, location } => {
                write!(
                    f,
                    "HTTP status {status} redirects to `{location}`, which is not followed: use that URL if it is right"
                )
            }
            ConnectError::Authorize(error) => write!(f, "authorization failed: {error}"),
            ConnectError::GaveUp { attempts, last } => write!(f, "gave up after {attempts} attempts: {last}"),
        }
    }
}

impl std::error::Error for ConnectError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ConnectError::Start { error, .. } => Some(error),
            ConnectError::Refused(error) => Some(error),
            ConnectError::Authorize(error) => Some(error),
            ConnectError::GaveUp { last, .. } => Some(&**last),
            _ => None,
        }
    }
}

impl From<ToolCallError> for CallError {
    fn from(error: ToolCallError) -> CallError {
        match error {
            ToolCallError::Rpc(error) => CallError::Rpc(error),
            ToolCallError::Tool(result) => CallError::Tool(result),
            other => CallError::Convert(other.to_string()),
        }
    }
}
