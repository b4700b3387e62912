//! The two tasks of a session: one writes lines to the CLI, the other reads its lines and routes them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;

use crate::error::Ended;
use crate::frame::{Frame, RequestId};
use crate::link::{Link, Stop, WriterCommand, WriterCommands};
use crate::message::{Message, TurnResult};
use crate::service::{Answer, Service, Work};
use crate::transport::{Ending, Input, Output, Peer, ShutdownTimeouts};
use crate::unread::{Overflow, UnreadSender};
use crate::wire::Typed;

/// Writes lines in order until it receives `WriterCommand::Close`.
pub(crate) async fn write(link: Arc<Link>, mut commands: WriterCommands, mut input: Box<dyn Input>) {
    while let Some(WriterCommand::Line { line, written }) = commands.recv().await {
        if let Err(error) = input.send(&line).await {
            // The CLI has closed its input. The reason is known when it exits; if it does not exit by itself, it must
            // be shut down.
            tracing::debug!(%error, "the claude CLI has closed its input");
            link.stop(Stop::Broken);
            break;
        }
        if let Some(written) = written {
            // Fails if the sender no longer waits for the result. This can be ignored.
            let _ = written.send(());
        }
    }
    // Dropping the receiver makes every pending `Link::write` return an error.
    drop(commands);
    if let Err(error) = input.close().await {
        tracing::debug!(%error, "cannot close the input of the claude CLI");
    }
}

/// Reads lines and routes each to its receiver until the CLI has exited.
pub(crate) struct Reader {
    pub(crate) link: Arc<Link>,
    pub(crate) service: Service,
    pub(crate) messages: UnreadSender,
    pub(crate) shutdown_timeouts: ShutdownTimeouts,
    pub(crate) result: Option<Typed<TurnResult>>,
    /// Why the session was ended, if its messages were not read.
    pub(crate) overflow: Option<io::Error>,
}

/// How long to read remaining output after the peer has exited.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

impl Reader {
    pub(crate) async fn run(mut self, output: Box<dyn Output>, peer: Box<dyn Peer>) {
        let (source, ending) = self.read(output, peer).await;
        let asked = *self.link.stop.borrow() == Some(Stop::Asked);
        let source = self.overflow.take().or(source);
        let ended = Ended { ending, source, result: self.result.take(), asked };
        tracing::debug!(ending = %ended.ending, "the claude CLI ended");
        self.link.end(ended);
    }

    async fn read(&mut self, mut output: Box<dyn Output>, peer: Box<dyn Peer>) -> (Option<io::Error>, Ending) {
        let link = Arc::clone(&self.link);
        let timeouts = self.shutdown_timeouts;
        let mut stop = link.stop.subscribe();
        // The shutdown runs concurrently with reading, so that output written during the shutdown is not lost.
        let mut end = Box::pin(async {
            // Cannot fail: `link` owns the sender.
            let _ = stop.wait_for(Option::is_some).await;
            let _ = link.commands.send(WriterCommand::Close);
            peer.end(timeouts).await
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
                    let _ = tokio::time::timeout(DRAIN_TIMEOUT, rest).await;
                    return (None, ending);
                }
            }
        };
        // The output is closed or broken: the CLI is exiting by itself, or is already being shut down.
        self.link.stop(Stop::Broken);
        (source, end.await)
    }

    fn route(&mut self, frame: Frame) {
        match frame {
            Frame::Message(message) => {
                if let Message::Result(result) = &message {
                    self.result = Some(result.clone());
                }
                match self.messages.send(message) {
                    None => {}
                    Some(Overflow::Interrupt) => self.interrupt(),
                    Some(Overflow::End(error)) => self.overflow(error),
                }
            }
            Frame::Response { id, answer, unanswered } => {
                for (id, request) in unanswered {
                    // The question may also have arrived as a frame of its own.
                    if !self.link.in_flight().is_received(&id) {
                        self.serve(id, request);
                    }
                }
                let waiter = self.link.in_flight().take_sent(&id);
                if let Some(waiter) = waiter {
                    let _ = waiter.send(answer);
                }
            }
            Frame::Request { id, request } => self.serve(id, request),
            Frame::Cancel { id } => {
                let work = self.link.in_flight().cancel(&id);
                if let Some(work) = work {
                    work.abort();
                    self.link.answer(&id, Answer::error("cancelled"));
                }
            }
            Frame::Ignored => tracing::debug!("ignoring a line of the claude CLI that is not a frame"),
        }
    }

    /// Interrupts the turn, because its messages are not read.
    fn interrupt(&self) {
        #[derive(serde::Serialize)]
        struct Interrupt {
            subtype: &'static str,
        }
        tracing::warn!("the messages of the session are not read: interrupting the turn");
        if let Err(error) = self.link.tell(&Interrupt { subtype: "interrupt" }) {
            tracing::error!(%error, "cannot interrupt the turn");
        }
    }

    /// Ends the session, because its messages are not read.
    fn overflow(&mut self, error: io::Error) {
        tracing::error!(%error, "the messages of the session are not read: ending the session");
        self.overflow.get_or_insert(error);
        self.link.stop(Stop::Broken);
    }

    fn serve(&self, id: RequestId, request: Box<RawValue>) {
        match self.service.serve(&id, request) {
            Work::Done(answer) => self.link.answer(&id, answer),
            Work::Going(work) => {
                let link = Arc::clone(&self.link);
                let served = id.clone();
                let task = async move {
                    let answer = work.await;
                    let mine = link.in_flight().finish(&served);
                    if mine {
                        link.answer(&served, answer);
                    }
                };
                // The lock is held while the task is spawned: the task must not call `finish` before its entry is in
                // the table.
                if !self.link.in_flight().add_received(id.clone(), || tokio::spawn(task).abort_handle()) {
                    self.link.answer(&id, Answer::error("duplicate request id: a request with this id is still in flight"));
                }
            }
        }
    }
}
