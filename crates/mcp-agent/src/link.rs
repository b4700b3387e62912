//! The state that the tasks and handles of a session share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use crate::error::{Ended, Error};
use crate::frame::{Outgoing, Refusal, Reply, RequestId, mcp_response};
use crate::in_flight::InFlight;
use crate::run::Run;
use crate::service::Answer;
use crate::transport::Ending;

type Waiter = oneshot::Sender<Result<Option<Box<RawValue>>, Refusal>>;

/// The state that the tasks and handles of a session share.
#[derive(Debug)]
pub(crate) struct Link {
    in_flight: Mutex<InFlight<Waiter, AbortHandle>>,
    run: Mutex<Run>,
    pub(crate) commands: mpsc::UnboundedSender<WriterCommand>,
    pub(crate) stop: watch::Sender<Option<Stop>>,
    ended: watch::Sender<Option<Arc<Ended>>>,
}

/// Why a session is being shut down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The caller closed the session or dropped it.
    Asked,
    /// The CLI closed its input or its output.
    Broken,
}

/// A command to the writer task.
#[derive(Debug)]
pub(crate) enum WriterCommand {
    Line { line: Vec<u8>, written: Option<oneshot::Sender<()>> },
    Close,
}

/// The receiver of commands to the writer task.
pub(crate) type WriterCommands = mpsc::UnboundedReceiver<WriterCommand>;

impl Link {
    pub(crate) fn new() -> (Arc<Self>, WriterCommands) {
        let (commands, receiver) = mpsc::unbounded_channel();
        let link = Self {
            in_flight: Mutex::default(),
            run: Mutex::default(),
            commands,
            stop: watch::Sender::new(None),
            ended: watch::Sender::new(None),
        };
        (Arc::new(link), receiver)
    }

    /// Sends a request and waits for its response. If the future is dropped, a cancellation is sent to the CLI.
    pub(crate) async fn request(&self, name: &str, body: &impl Serialize) -> Result<Option<Box<RawValue>>, Error> {
        let (waiter, answer) = oneshot::channel();
        let asked = self.in_flight().add_sent(waiter);
        let Ok(id) = asked else {
            return Err(Error::Ended(self.ended().await));
        };
        let mut cancellation = CancelOnDrop { link: self, id: Some(id.clone()) };
        self.post(&Outgoing::Request { request_id: &id, request: body })?;
        let answer = answer.await;
        cancellation.id = None;
        match answer {
            Ok(Ok(payload)) => Ok(payload),
            Ok(Err(Refusal { message, code })) => Err(Error::Refused { request: name.to_owned(), message, code }),
            // The table of requests in flight was closed while this one was pending: the CLI has exited.
            Err(_) => Err(Error::Ended(self.ended().await)),
        }
    }

    /// Sends a request and ignores its response.
    pub(crate) fn tell(&self, body: &impl Serialize) -> Result<(), Error> {
        let (waiter, _) = oneshot::channel();
        match self.in_flight().add_sent(waiter) {
            Ok(id) => self.post(&Outgoing::Request { request_id: &id, request: body }),
            Err(_) => Ok(()),
        }
    }

    /// Queues a line and waits until it is written.
    pub(crate) async fn write(&self, line: Vec<u8>) -> Result<(), Error> {
        let (written, is_written) = oneshot::channel();
        let sent = self.commands.send(WriterCommand::Line { line, written: Some(written) }).is_ok();
        if sent && is_written.await.is_ok() { Ok(()) } else { Err(Error::Ended(self.ended().await)) }
    }

    /// Starts the shutdown of the session. Only the first reason is kept.
    pub(crate) fn stop(&self, reason: Stop) {
        self.stop.send_if_modified(|stop| {
            let first = stop.is_none();
            stop.get_or_insert(reason);
            first
        });
    }

    /// Waits until the session has ended and returns how.
    pub(crate) async fn ended(&self) -> Arc<Ended> {
        let mut ended = self.ended.subscribe();
        match ended.wait_for(Option::is_some).await.map(|ended| ended.clone()) {
            Ok(Some(ended)) => ended,
            // Unreachable: `self` owns the sender, so the channel is not closed.
            _ => Arc::new(Ended { ending: Ending::default(), source: None, result: None, asked: false }),
        }
    }

    /// Returns how the session ended, or `None` if it is still open.
    pub(crate) fn has_ended(&self) -> Option<Arc<Ended>> {
        self.ended.borrow().clone()
    }

    /// Publishes how the session ended and drops all requests in flight.
    pub(crate) fn end(&self, ended: Ended) {
        // The order matters: `ended` is published first, because pending requests read it as soon as they are woken.
        self.ended.send_replace(Some(Arc::new(ended)));
        let (waiters, works) = self.in_flight().close();
        drop(waiters);
        for work in works {
            work.abort();
        }
    }

    pub(crate) fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn in_flight(&self) -> MutexGuard<'_, InFlight<Waiter, AbortHandle>> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, frame: &Outgoing<'_, impl Serialize>) -> Result<(), Error> {
        self.post_line(frame.to_line())
    }

    fn post_line(&self, line: Result<Vec<u8>, serde_json::Error>) -> Result<(), Error> {
        let line = line.map_err(|error| Error::Serialize(Arc::new(error)))?;
        // Fails only if the writer task has exited; the session is then about to end.
        let _ = self.commands.send(WriterCommand::Line { line, written: None });
        Ok(())
    }

    /// Writes the response to a request of the CLI. Only the owner of that response may call this, see [`InFlight`].
    pub(crate) fn answer(&self, id: &RequestId, answer: Answer) {
        let posted = match &answer {
            Answer::Success(response) => {
                self.post(&Outgoing::Response { response: Reply::Success { request_id: id, response } })
            }
            Answer::Mcp(response) => self.post_line(mcp_response(id, response)),
            Answer::Elsewhere => Ok(()),
            Answer::Error { message, code } => self.post(&Outgoing::Response::<()> {
                response: Reply::Error { request_id: id, error: message, error_code: *code },
            }),
        };
        if let Err(error) = posted {
            tracing::error!(%error, "cannot serialize the response to a control request");
        }
    }
}

/// Cancels a request when its future is dropped before the response has arrived.
struct CancelOnDrop<'a> {
    link: &'a Link,
    id: Option<RequestId>,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take()
            && self.link.in_flight().take_sent(&id).is_some()
        {
            // A cancellation always serializes.
            let _ = self.link.post(&Outgoing::Cancel::<()> { request_id: &id });
        }
    }
}
