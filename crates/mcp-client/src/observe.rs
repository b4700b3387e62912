//! Observers of a connection: every message, and the standard error of a server process.

use std::sync::Arc;

/// The direction of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From this client to the server.
    Sent,
    /// From the server to this client.
    Received,
}

/// Receives the JSON of each message.
pub(crate) type OnMessage = Arc<dyn Fn(Direction, &[u8]) + Send + Sync>;

/// Receives each part of the standard error of a server process.
pub(crate) type OnStderr = Arc<dyn Fn(&[u8]) + Send + Sync>;
