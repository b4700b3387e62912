//! The state that all parts of a session share, and the two tasks that move lines.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::AbortHandle;

use crate::control::Desk;
use crate::error::{Ended, Error};
use crate::frame::{Frame, Outgoing, Refusal, Reply, RequestId};
use crate::message::{Message, TurnResult};
use crate::run::Run;
use crate::service::{Answer, Service, Work};
use crate::transport::{Ending, Input, Output, Patience, Peer};
use crate::wire::Typed;

type Waiter = oneshot::Sender<Result<Option<Box<RawValue>>, Refusal>>;

/// What all parts of a session share.
#[derive(Debug)]
pub(crate) struct Link {
    desk: Mutex<Desk<Waiter, AbortHandle>>,
    run: Mutex<Run>,
    orders: mpsc::UnboundedSender<Order>,
    stop: watch::Sender<Option<Stop>>,
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

#[derive(Debug)]
enum Order {
    Line { line: Vec<u8>, written: Option<oneshot::Sender<()>> },
    Close,
}

/// The receiving end of what is to be written.
#[derive(Debug)]
pub(crate) struct Orders(mpsc::UnboundedReceiver<Order>);

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
        (Arc::new(link), Orders(receiver))
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

    pub(crate) fn run(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn desk(&self) -> MutexGuard<'_, Desk<Waiter, AbortHandle>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, frame: &Outgoing<'_, impl Serialize>) -> Result<(), Error> {
        let line = frame.to_line().map_err(|error| Error::Serialize(Arc::new(error)))?;
        // Fails only when the writer is gone, and then the session is about to end.
        let _ = self.orders.send(Order::Line { line, written: None });
        Ok(())
    }

    fn answer(&self, id: &RequestId, answer: Answer) {
        let posted = match &answer {
            Answer::Success(response) => {
                self.post(&Outgoing::Response { response: Reply::Success { request_id: id, response } })
            }
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

/// Writes lines in order until it is told to close.
pub(crate) async fn write(link: Arc<Link>, mut orders: Orders, mut input: Box<dyn Input>) {
    while let Some(Order::Line { line, written }) = orders.0.recv().await {
        if let Err(error) = input.send(&line).await {
            // The CLI no longer reads. Why, its end will tell; if it does not end by itself, it must be ended.
            tracing::debug!(%error, "the claude CLI no longer reads");
            link.stop(Stop::Broken);
            break;
        }
        if let Some(written) = written {
            // Who waited may have given up.
            let _ = written.send(());
        }
    }
    // From here on nothing can be written; who still waits for it learns so.
    drop(orders);
    if let Err(error) = input.close().await {
        tracing::debug!(%error, "the input of the claude CLI did not close");
    }
}

/// Reads lines and gives each to whom it concerns, until the CLI is gone.
pub(crate) struct Pump {
    pub(crate) link: Arc<Link>,
    pub(crate) service: Service,
    pub(crate) messages: mpsc::UnboundedSender<Message>,
    pub(crate) patience: Patience,
    pub(crate) result: Option<Typed<TurnResult>>,
}

/// How long an output may go on after its peer is gone.
const AFTERLIFE: Duration = Duration::from_secs(2);

impl Pump {
    pub(crate) async fn run(mut self, output: Box<dyn Output>, peer: Box<dyn Peer>) {
        let (source, ending) = self.read(output, peer).await;
        let asked = *self.link.stop.borrow() == Some(Stop::Asked);
        let ended = Ended { ending, source, result: self.result.take(), asked };
        tracing::debug!(ending = %ended.ending, "the claude CLI ended");
        // Said before the desk closes, because who waits there will look for it.
        self.link.ended.send_replace(Some(Arc::new(ended)));
        let (waiters, works) = self.link.desk().close();
        drop(waiters);
        for work in works {
            work.abort();
        }
    }

    async fn read(&mut self, mut output: Box<dyn Output>, peer: Box<dyn Peer>) -> (Option<io::Error>, Ending) {
        let link = Arc::clone(&self.link);
        let patience = self.patience;
        let mut stop = link.stop.subscribe();
        // The end runs beside the reading, so that last words are heard.
        let mut end = Box::pin(async {
            // An error is impossible: the link holds the sender.
            let _ = stop.wait_for(Option::is_some).await;
            let _ = link.orders.send(Order::Close);
            peer.end(patience).await
        });
        let source = loop {
            tokio::select! {
                line = output.receive() => match line {
                    Ok(Some(line)) => self.route(Frame::parse(&line)),
                    Ok(None) => break None,
                    Err(error) => break Some(error),
                },
                ending = &mut end => {
                    let rest = async {
                        while let Ok(Some(line)) = output.receive().await {
                            self.route(Frame::parse(&line));
                        }
                    };
                    let _ = tokio::time::timeout(AFTERLIFE, rest).await;
                    return (None, ending);
                }
            }
        };
        // The CLI has nothing more to say; whether asked or not, this is its end.
        self.link.stop(Stop::Broken);
        (source, end.await)
    }

    fn route(&mut self, frame: Frame) {
        match frame {
            Frame::Message(message) => {
                if let Message::Result(result) = &message {
                    self.result = Some(result.clone());
                }
                // Nobody may want to hear it; the CLI's requests are served all the same.
                let _ = self.messages.send(message);
            }
            Frame::Response { id, answer } => {
                let waiter = self.link.desk().settle(&id);
                if let Some(waiter) = waiter {
                    let _ = waiter.send(answer);
                }
            }
            Frame::Request { id, request } => self.serve(id, request),
            Frame::Cancel { id } => {
                let work = self.link.desk().cancel(&id);
                if let Some(work) = work {
                    work.abort();
                    self.link.answer(&id, Answer::error("cancelled"));
                }
            }
            Frame::Noise => tracing::debug!("the claude CLI wrote a line that is no frame"),
        }
    }

    fn serve(&self, id: RequestId, request: Box<RawValue>) {
        match self.service.serve(request) {
            Work::Done(answer) => self.link.answer(&id, answer),
            Work::Going(work) => {
                let link = Arc::clone(&self.link);
                let served = id.clone();
                let task = async move {
                    let answer = work.await;
                    let mine = link.desk().finish(&served);
                    if mine {
                        link.answer(&served, answer);
                    }
                };
                // The task cannot finish before it is on the desk: that needs the lock which is held here.
                if !self.link.desk().begin(id.clone(), || tokio::spawn(task).abort_handle()) {
                    self.link.answer(&id, Answer::error("a request with this id is already being served"));
                }
            }
        }
    }
}
