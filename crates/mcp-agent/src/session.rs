//! An open session with the CLI.

use std::future::poll_fn;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use tokio::sync::mpsc;

use crate::agent::Agent;
use crate::argv::invocation;
use crate::error::Error;
use crate::handle::{Handle, Owner};
use crate::initialize::{Initialize, Welcome};
use crate::link::{Link, Stop};
use crate::message::Message;
use crate::messages::Messages;
use crate::mount::Rack;
use crate::pump::{Pump, write};
use crate::service::Service;
use crate::transport::{Ending, Transport};
use crate::wire::Typed;

/// How long a CLI may take to start when nothing is said.
const INITIALIZE_TIMEOUT: Duration = Duration::from_secs(60);

/// An open session with the CLI: send prompts, read messages.
///
/// [`next`](Self::next), and the [`Stream`] that the session is, give `None` when the run is over: every prompt that was
/// sent is done and nothing goes on in the background. Send again, and there is more. A turn that failed is an error in
/// the place of its result; the session goes on after it.
///
/// Requests such as [`interrupt`](Handle::interrupt) are methods of the [`Handle`], which the session derefs to. A handle
/// can be cloned to another task; [`split`](Self::split) gives the two halves to different owners.
///
/// Messages wait in memory until they are read; the CLI is never held up by a reader that does not read, because its
/// questions come on the same line. When the session and all its handles are dropped the CLI is ended in the background.
/// [`close`](Self::close) waits for it.
#[derive(Debug)]
pub struct Session {
    handle: Handle,
    messages: Messages,
    welcome: Welcome,
}

impl Session {
    pub(crate) async fn open(agent: Agent) -> Result<Self, Error> {
        let Agent { options, callbacks, mounts, process, transport } = agent;
        if let Some(fault) = mounts.fault() {
            return Err(fault);
        }
        let invocation = invocation(&options, callbacks.permission.is_some())?;
        let connection = match transport {
            Some(transport) => transport.connect(invocation).await?,
            None => process.connect(invocation).await?,
        };
        let pid = connection.peer.pid();
        let (link, orders) = Link::new();
        let (sender, receiver) = mpsc::unbounded_channel();
        let owner = Arc::new(Owner(Arc::clone(&link)));
        let outbox = Arc::downgrade(&link);
        let rack = Arc::new(Rack::new(&mounts, move |server, message| {
            if let Some(link) = outbox.upgrade() {
                crate::handle::from_server(&link, server, &message);
            }
        }));
        tokio::spawn(write(Arc::clone(&link), orders, connection.input));
        let pump = Pump {
            link: Arc::clone(&link),
            service: Service::new(callbacks.clone(), Arc::clone(&rack)),
            messages: sender,
            patience: options.environment.patience,
            result: None,
        };
        tokio::spawn(pump.run(connection.output, connection.peer));
        // From here on, dropping the future drops the owner, which ends the CLI.
        let handle = Handle::new(owner, pid, options.prompt.verbatim, rack);
        let first = Initialize::new(&options, &callbacks.hooks, &mounts, &callbacks.dialog_kinds);
        let limit = options.environment.initialize_timeout.unwrap_or(INITIALIZE_TIMEOUT);
        let answer = match tokio::time::timeout(limit, link.request("initialize", &first)).await {
            Ok(answer) => answer?,
            Err(_) => {
                link.stop(Stop::Asked);
                let ending = link.ended().await.ending.clone();
                return Err(Error::InitializeTimeout { after: limit, ending: Box::new(ending) });
            }
        };
        let welcome = Typed::new(answer.unwrap_or_else(|| serde_json::value::RawValue::NULL.to_owned()));
        let messages = Messages::new(link, receiver, options.output.schema.is_some());
        Ok(Self { handle, messages, welcome })
    }

    /// What the CLI said of itself when the session opened.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// The next message of the run, or `None` when the run is over.
    ///
    /// Cancel safe: a message that was not returned is returned by the next call.
    ///
    /// # Errors
    /// [`Error::Turn`] for a turn that failed, after which the session goes on; [`Error::Ended`] once when the CLI ended
    /// where it should not have.
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        poll_fn(|context| self.messages.poll_run(context)).await.transpose()
    }

    /// Reads to the end of the run, and gives its last result.
    ///
    /// # Errors
    /// As [`next`](Self::next), with the first error; what comes after it is still there to be read.
    pub async fn finish(&mut self) -> Result<Option<Typed<crate::message::TurnResult>>, Error> {
        let mut last = None;
        while let Some(message) = self.next().await? {
            if let Message::Result(result) = message {
                last = Some(result);
            }
        }
        Ok(last)
    }

    /// A handle for other tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// The two halves: one to send and request with, one to read. The session ends when both are dropped.
    ///
    /// What is read then goes on from run to run and ends with the CLI.
    pub fn split(self) -> (Handle, Messages) {
        let Self { handle, mut messages, .. } = self;
        messages.keep(handle.clone());
        (handle, messages)
    }

    /// Ends the CLI and waits until it is gone: its input is closed, then it is asked, then killed, as the agent's
    /// [`patience`](Agent::patience) runs out.
    ///
    /// Whatever is still going on is cut off. To let it finish, read to the end of the run first.
    ///
    /// # Errors
    /// [`Error::Ended`] when the CLI had ended badly before.
    pub async fn close(self) -> Result<Ending, Error> {
        self.handle.stop();
        let ended = self.handle.ended().await;
        if ended.asked {
            Ok(ended.ending.clone())
        } else {
            self.messages.verdict().map_or_else(|| Ok(ended.ending.clone()), Err)
        }
    }
}

impl Deref for Session {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.handle
    }
}

impl Stream for Session {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.messages.poll_run(context)
    }
}
