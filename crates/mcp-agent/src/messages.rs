//! The reading half of a session.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use crate::error::{Error, TurnError};
use crate::handle::Handle;
use crate::link::Link;
use crate::message::Message;
use crate::unread::UnreadReceiver;

/// The reading half of a session: yields messages, across runs, until the CLI exits.
pub struct Messages {
    link: Arc<Link>,
    receiver: UnreadReceiver,
    wants_output: bool,
    ended: bool,
    // Keeps the session open while this half is the only one left.
    _owner: Option<Handle>,
}

impl Messages {
    /// Returns the next message, or `None` after the CLI has exited.
    ///
    /// Cancel safe: if the future is dropped, no message is lost.
    ///
    /// # Errors
    /// As [`Session::next`](crate::Session::next).
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        poll_fn(|context| self.poll_message(context)).await.transpose()
    }

    /// Returns how many messages wait to be read.
    pub fn waiting(&self) -> usize {
        self.receiver.len()
    }

    /// Returns how many partial messages were dropped because the messages were not read in time, see
    /// [`Unread`](crate::Unread). Their complete messages were not dropped.
    pub fn dropped_partials(&self) -> u64 {
        self.receiver.dropped()
    }

    pub(crate) fn new(link: Arc<Link>, receiver: UnreadReceiver, wants_output: bool) -> Self {
        Self { link, receiver, wants_output, ended: false, _owner: None }
    }

    /// Keeps the session open as long as this value lives.
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

    /// Returns whether the CLI has exited and all its messages were read.
    pub(crate) fn is_over(&self) -> bool {
        self.ended
    }

    /// Updates the run, and turns a failed result into an error.
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

    /// Returns an error if the CLI exited unexpectedly; `None` if it is still running or its exit is fine.
    pub(crate) fn verdict(&self) -> Option<Error> {
        let ended = self.link.has_ended()?;
        let reported = ended.result.as_ref().is_some_and(|result| result.is_error);
        let lost_turn = self.link.run().is_active();
        let bad = match ended.ending.status {
            // After a failed result the CLI exits with status 1. The failed result was already returned as an error.
            Some(status) if reported && status.code() == Some(1) => false,
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
