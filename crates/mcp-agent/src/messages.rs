//! The reading half of a session.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use tokio::sync::mpsc;

use crate::error::{Error, TurnError};
use crate::handle::Handle;
use crate::link::Link;
use crate::message::Message;

/// The reading half of a session: its messages, from run to run, until the CLI is gone.
pub struct Messages {
    link: Arc<Link>,
    receiver: mpsc::UnboundedReceiver<Message>,
    wants_output: bool,
    ended: bool,
    // Keeps the session open when this half is alone.
    _owner: Option<Handle>,
}

impl Messages {
    /// The next message, or `None` when the CLI is gone.
    ///
    /// Cancel safe.
    ///
    /// # Errors
    /// As [`Session::next`](crate::Session::next).
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        poll_fn(|context| self.poll_message(context)).await.transpose()
    }

    pub(crate) fn new(link: Arc<Link>, receiver: mpsc::UnboundedReceiver<Message>, wants_output: bool) -> Self {
        Self { link, receiver, wants_output, ended: false, _owner: None }
    }

    /// Keeps the session open as long as this is there.
    pub(crate) fn keep(&mut self, handle: Handle) {
        self._owner = Some(handle);
    }

    pub(crate) fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Message, Error>>> {
        Poll::Ready(match ready!(self.receiver.poll_recv(context)) {
            Some(message) => Some(self.judge(message)),
            None if self.ended => None,
            None => {
                self.ended = true;
                self.verdict().map(Err)
            }
        })
    }

    pub(crate) fn poll_run(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Message, Error>>> {
        match self.poll_message(context) {
            Poll::Pending if !self.link.run().is_active() => Poll::Ready(None),
            poll => poll,
        }
    }

    /// A result that is a failure becomes an error.
    fn judge(&mut self, message: Message) -> Result<Message, Error> {
        if self.link.run().observe(&message) {
            tracing::debug!("the run is over");
        }
        match &message {
            Message::Result(result) => match TurnError::of(result, self.wants_output) {
                Some(error) => Err(Error::Turn(error)),
                None => Ok(message),
            },
            _ => Ok(message),
        }
    }

    /// Whether the CLI's end is an error.
    pub(crate) fn verdict(&self) -> Option<Error> {
        let ended = self.link.has_ended()?;
        let told = ended.result.as_ref().is_some_and(|result| result.is_error);
        let lost_turn = self.link.run().is_active();
        let bad = match ended.ending.status {
            // After a result that is an error the CLI exits with 1, which says nothing new.
            Some(status) if told && status.code() == Some(1) => false,
            Some(status) => !status.success(),
            None => false,
        };
        let error = !ended.asked && (ended.source.is_some() || lost_turn || bad);
        error.then_some(Error::Ended(ended))
    }
}

impl Stream for Messages {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_message(context)
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").field("waiting", &self.receiver.len()).finish_non_exhaustive()
    }
}
