//! A bounded channel from the reader of a session to an HTTP client that watches it.

use std::error::Error as StdError;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use mcp_agent::{Error, Message};
use tokio::sync::mpsc;

/// Creates a channel to one client. It buffers at most `capacity` messages.
///
/// # Panics
/// If `capacity` is zero.
pub fn channel(capacity: usize) -> (Sender, Receiver) {
    let (sender, receiver) = mpsc::channel(capacity);
    (Sender(sender), Receiver(receiver))
}

/// The sending half of a [`channel`](channel()). The reader of a session sends its messages here.
#[derive(Debug, Clone)]
pub struct Sender(mpsc::Sender<Result<Message, Error>>);

/// The receiving half of a [`channel`](channel()): a stream of messages for [`Events`](crate::Events).
#[derive(Debug)]
pub struct Receiver(mpsc::Receiver<Result<Message, Error>>);

/// The error of sending to a client that has disconnected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disconnected;

impl Sender {
    /// Sends an item of the session. Waits while the buffer is full.
    ///
    /// # Errors
    /// If the client has disconnected.
    pub async fn send(&self, next: Result<Message, Error>) -> Result<(), Disconnected> {
        self.0.send(next).await.map_err(|_| Disconnected)
    }

    /// Sends an item of the session without waiting. Returns false, and drops the item, if the buffer is full.
    ///
    /// # Errors
    /// If the client has disconnected.
    pub fn try_send(&self, next: Result<Message, Error>) -> Result<bool, Disconnected> {
        match self.0.try_send(next) {
            Ok(()) => Ok(true),
            Err(mpsc::error::TrySendError::Full(_)) => Ok(false),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(Disconnected),
        }
    }

    /// Waits until the client disconnects, for instance to interrupt the session then.
    pub async fn disconnected(&self) {
        self.0.closed().await;
    }
}

impl Stream for Receiver {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

impl fmt::Display for Disconnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the client has disconnected")
    }
}

impl StdError for Disconnected {}
