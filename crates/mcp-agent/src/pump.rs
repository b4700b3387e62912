//! The two tasks of a session: one writes lines, one reads them and gives each to whom it concerns.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::error::Ended;
use crate::frame::{Frame, RequestId};
use crate::link::{Link, Order, Orders, Stop};
use crate::message::{Message, TurnResult};
use crate::service::{Answer, Service, Work};
use crate::transport::{Ending, Input, Output, Patience, Peer};
use crate::wire::Typed;

/// Writes lines in order until it is told to close.
pub(crate) async fn write(link: Arc<Link>, mut orders: Orders, mut input: Box<dyn Input>) {
    while let Some(Order::Line { line, written }) = orders.recv().await {
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
        self.link.end(ended);
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
