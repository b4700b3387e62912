//! From one who reads a session to one who watches it.

use std::error::Error as StdError;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use mcp_agent::{Error, Message};
use tokio::sync::mpsc;

/// A way for messages to one watcher, on which at most `capacity` wait.
///
/// # Panics
/// When `capacity` is zero.
pub fn channel(capacity: usize) -> (Feed, Watched) {
    let (sender, receiver) = mpsc::channel(capacity);
    (Feed(sender), Watched(receiver))
}

/// Where the one who reads a session puts its messages.
#[derive(Debug, Clone)]
pub struct Feed(mpsc::Sender<Result<Message, Error>>);

/// What a watcher gets: the messages in order, as a stream for [`Events`](crate::Events).
#[derive(Debug)]
pub struct Watched(mpsc::Receiver<Result<Message, Error>>);

/// The watcher went away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

impl Feed {
    /// Passes on what the session gave. Waits while the watcher is behind.
    ///
    /// # Errors
    /// When the watcher went away.
    pub async fn send(&self, next: Result<Message, Error>) -> Result<(), Gone> {
        self.0.send(next).await.map_err(|_| Gone)
    }

    /// Passes on what the session gave, unless the watcher is too far behind: then it is not told. Says whether it was.
    ///
    /// # Errors
    /// When the watcher went away.
    pub fn try_send(&self, next: Result<Message, Error>) -> Result<bool, Gone> {
        match self.0.try_send(next) {
            Ok(()) => Ok(true),
            Err(mpsc::error::TrySendError::Full(_)) => Ok(false),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(Gone),
        }
    }

    /// Waits until the watcher goes away, for instance to interrupt what nobody watches.
    pub async fn gone(&self) {
        self.0.closed().await;
    }
}

impl Stream for Watched {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the watcher went away")
    }
}

impl StdError for Gone {}
