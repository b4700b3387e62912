//! The state that all parts of a session share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use crate::control::Desk;
use crate::error::{Ended, Error};
use crate::frame::{Outgoing, Refusal, Reply, RequestId, mcp_response};
use crate::run::Run;
use crate::service::Answer;
use crate::transport::Ending;

type Waiter = oneshot::Sender<Result<Option<Box<RawValue>>, Refusal>>;

/// What all parts of a session share.
#[derive(Debug)]
pub(crate) struct Link {
    desk: Mutex<Desk<Waiter, AbortHandle>>,
    run: Mutex<Run>,
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    pub(crate) stop: watch::Sender<Option<Stop>>,
    ended: watch::Sender<Option<Arc<Ended>>>,
}

/// Why a session comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The caller wants it.
    Asked,
    /// The CLI no longer reads, or no longer writes.
    Broken,
}

/// What the writer is to do.
#[derive(Debug)]
pub(crate) enum Order {
    Line { line: Vec<u8>, written: Option<oneshot::Sender<()>> },
    Close,
}

/// The receiving end of what is to be written.
pub(crate) type Orders = mpsc::UnboundedReceiver<Order>;

impl Link {
    pub(crate) fn new() -> (Arc<Self>, Orders) {
        let (orders, receiver) = mpsc::unbounded_channel();
        let link = Self {
            desk: Mutex::default(),
            run: Mutex::default(),
            orders,
            stop: watch::Sender::new(None),
            ended: watch::Sender::new(None),
        };
        (Arc::new(link), receiver)
    }

    /// Sends a request and waits for its answer. When the future is dropped, the CLI is told that it need not answer.
    pub(crate) async fn request(&self, name: &str, body: &impl Serialize) -> Result<Option<Box<RawValue>>, Error> {
        let (waiter, answer) = oneshot::channel();
        let asked = self.desk().ask(waiter);
        let Ok(id) = asked else {
            return Err(Error::Ended(self.ended().await));
        };
        let mut withdrawal = Withdrawal { link: self, id: Some(id.clone()) };
        self.post(&Outgoing::Request { request_id: &id, request: body })?;
        let answer = answer.await;
        withdrawal.id = None;
        match answer {
            Ok(Ok(payload)) => Ok(payload),
            Ok(Err(Refusal { message, code })) => Err(Error::Refused { request: name.to_owned(), message, code }),
            // The desk was closed under us: the CLI is gone.
            Err(_) => Err(Error::Ended(self.ended().await)),
        }
    }

    /// Sends a request whose answer interests nobody.
    pub(crate) fn tell(&self, body: &impl Serialize) -> Result<(), Error> {
        let (waiter, _) = oneshot::channel();
        match self.desk().ask(waiter) {
            Ok(id) => self.post(&Outgoing::Request { request_id: &id, request: body }),
            Err(_) => Ok(()),
        }
    }

    /// Writes a line and waits until it is written.
    pub(crate) async fn write(&self, line: Vec<u8>) -> Result<(), Error> {
        let (written, is_written) = oneshot::channel();
        let sent = self.orders.send(Order::Line { line, written: Some(written) }).is_ok();
        if sent && is_written.await.is_ok() { Ok(()) } else { Err(Error::Ended(self.ended().await)) }
    }

    /// Brings about the end of the session. The first reason counts.
    pub(crate) fn stop(&self, reason: Stop) {
        self.stop.send_if_modified(|stop| {
            let first = stop.is_none();
            stop.get_or_insert(reason);
            first
        });
    }

    /// How the session ended, once it has.
    pub(crate) async fn ended(&self) -> Arc<Ended> {
        let mut ended = self.ended.subscribe();
        match ended.wait_for(Option::is_some).await.map(|ended| ended.clone()) {
            Ok(Some(ended)) => ended,
            // Never happens: the sender is ours, and it is there.
            _ => Arc::new(Ended { ending: Ending::default(), source: None, result: None, asked: false }),
        }
    }

    /// How the session ended, if it has.
    pub(crate) fn has_ended(&self) -> Option<Arc<Ended>> {
        self.ended.borrow().clone()
    }

    /// Says how the session ended, and closes the desk.
    pub(crate) fn end(&self, ended: Ended) {
        // Said before the desk closes, because who waits there will look for it.
        self.ended.send_replace(Some(Arc::new(ended)));
        let (waiters, works) = self.desk().close();
        drop(waiters);
        for work in works {
            work.abort();
        }
    }

    pub(crate) fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk<Waiter, AbortHandle>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, frame: &Outgoing<'_, impl Serialize>) -> Result<(), Error> {
        self.post_line(frame.to_line())
    }

    fn post_line(&self, line: Result<Vec<u8>, serde_json::Error>) -> Result<(), Error> {
        let line = line.map_err(|error| Error::Serialize(Arc::new(error)))?;
        // Fails only when the writer is gone, and then the session is about to end.
        let _ = self.orders.send(Order::Line { line, written: None });
        Ok(())
    }

    /// Answers a request of the CLI, for who owns the answer.
    pub(crate) fn answer(&self, id: &RequestId, answer: Answer) {
        let posted = match &answer {
            Answer::Success(response) => {
                self.post(&Outgoing::Response { response: Reply::Success { request_id: id, response } })
            }
            Answer::Mcp(response) => self.post_line(mcp_response(id, response)),
            Answer::Error { message, code } => self.post(&Outgoing::Response::<()> {
                response: Reply::Error { request_id: id, error: message, error_code: *code },
            }),
        };
        if let Err(error) = posted {
            tracing::error!(%error, "an answer could not be written");
        }
    }
}

/// Takes a request back when nobody waits for its answer any more.
struct Withdrawal<'a> {
    link: &'a Link,
    id: Option<RequestId>,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take()
            && self.link.desk().settle(&id).is_some()
        {
            // Only an answer can fail to be serialised.
            let _ = self.link.post(&Outgoing::Cancel::<()> { request_id: &id });
        }
    }
}
