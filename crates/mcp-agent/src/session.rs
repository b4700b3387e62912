//! An open session with the CLI.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;

use crate::agent::Agent;
use crate::argv::{check_servers, invocation};
use crate::error::Error;
use crate::handle::{Handle, InterruptReceipt, Owner};
use crate::initialize::{Initialize, Welcome};
use crate::io_tasks::{Reader, write};
use crate::link::{Link, Stop};
use crate::message::{Message, SessionState};
use crate::messages::Messages;
use crate::mount::MountedServers;
use crate::options::Options;
use crate::prompt::Prompt;
use crate::service::{Callbacks, Service};
use crate::store::{Mirrored, restore};
use crate::transport::{Connection, Ending, Transport};
use crate::unread::unread;
use crate::wire::Typed;

/// The default time limit for the CLI to answer `initialize`.
const INITIALIZE_TIMEOUT: Duration = Duration::from_secs(60);

/// An open session with the CLI: sends prompts and reads messages.
///
/// [`next`](Self::next) and the [`Stream`] implementation return `None` when the run is over: every prompt that was
/// sent is done and no background task is running. A session can be used again after that: send another prompt and read
/// its messages. A failed turn is returned as an error in place of its result, and the session stays usable.
///
/// Requests such as [`interrupt`](Handle::interrupt) are methods of [`Handle`]; [`handle`](Self::handle) returns one. A
/// handle can be cloned and moved to another task. [`split`](Self::split) separates the sending half from the reading
/// half.
///
/// Unread messages wait in memory up to a limit, then in a temporary file; [`Agent::unread`] changes this. There is no
/// backpressure on the CLI, because it sends its own requests over the same output: if that output were not read, permission
/// and hook requests would not be answered either. When the session and all its handles are dropped, the CLI is shut down in the background.
/// [`close`](Self::close) shuts it down and waits for it to exit.
#[derive(Debug)]
pub struct Session {
    handle: Handle,
    messages: Messages,
}

impl Session {
    pub(crate) async fn open(agent: Agent) -> Result<Self, Error> {
        let Agent { mut options, callbacks, mounts, process, transport } = agent;
        if let Some(fault) = mounts.fault() {
            return Err(fault);
        }
        check_servers(options.servers.configured.keys().map(String::as_str), mounts.names())?;
        let asks_host = callbacks.permission.is_some();
        let mut start = invocation(&options, asks_host)?;
        if options.conversation.store.store.is_some() {
            restore(&mut options).await?;
            start = invocation(&options, asks_host)?;
        }
        let connection = match transport {
            Some(transport) => transport.connect(start).await?,
            None => process.connect(start).await?,
        };
        let connection = mirrored(connection, &options);
        let pid = connection.peer.pid();
        let (link, commands) = Link::new();
        let (sender, receiver) = unread(options.output.unread);
        let owner = Arc::new(Owner(Arc::clone(&link)));
        let outbox = Arc::downgrade(&link);
        let mounted = Arc::new(MountedServers::new(&mounts, move |server, message| {
            if let Some(link) = outbox.upgrade() {
                crate::handle::from_server(&link, server, &message);
            }
        }));
        tokio::spawn(write(Arc::clone(&link), commands, connection.input));
        let reader = Reader {
            link: Arc::clone(&link),
            service: Service::new(callbacks.clone(), Arc::clone(&mounted)),
            messages: sender,
            shutdown_timeouts: options.environment.shutdown_timeouts,
            result: None,
            overflow: None,
        };
        tokio::spawn(reader.run(connection.output, connection.peer));
        // From here on, dropping this future drops `owner`, which shuts the CLI down.
        let first = Initialize::new(&options, &callbacks.hooks, &mounts, &callbacks.dialog_kinds);
        let welcome = initialize(&link, &first, &options, &callbacks).await?;
        let messages = Messages::new(link, receiver, options.output.schema.is_some());
        let first = first.again();
        let handle = Handle::new(owner, pid, options.prompt.verbatim, mounted, welcome, first);
        Ok(Self { handle, messages })
    }

    /// Returns the CLI's response to `initialize`: its commands, models, account and so on.
    pub fn welcome(&self) -> &Welcome {
        self.handle.welcome()
    }

    /// Returns the next message of the run, or `None` when the run is over.
    ///
    /// Cancel safe: if the future is dropped, no message is lost; the next call returns it.
    ///
    /// # Errors
    /// [`Error::Turn`] if a turn failed; the session stays usable. [`Error::Ended`], once, if the CLI exited
    /// unexpectedly.
    pub async fn next(&mut self) -> Result<Option<Message>, Error> {
        poll_fn(|context| self.messages.poll_run(context)).await.transpose()
    }

    /// Reads to the end of the run and returns its last result.
    ///
    /// # Errors
    /// The first error of [`next`](Self::next). The messages after it can still be read.
    pub async fn finish(&mut self) -> Result<Option<Typed<crate::message::TurnResult>>, Error> {
        let mut last = None;
        while let Some(message) = self.next().await? {
            if let Message::Result(result) = message {
                last = Some(result);
            }
        }
        Ok(last)
    }

    /// Sends a prompt and returns its id. See [`Handle::send`].
    ///
    /// # Errors
    /// [`Error::Ended`] if the CLI has exited.
    pub async fn send(&self, prompt: impl Into<Prompt>) -> Result<String, Error> {
        self.handle.send(prompt).await
    }

    /// Interrupts the turn. See [`Handle::interrupt`].
    ///
    /// # Errors
    /// [`Error::Refused`] if the CLI rejects the request, [`Error::Ended`] if the CLI has exited.
    pub async fn interrupt(&self) -> Result<Typed<InterruptReceipt>, Error> {
        self.handle.interrupt().await
    }

    /// Returns the process id of the CLI, or `None` if it does not run as a local process.
    pub fn pid(&self) -> Option<u32> {
        self.handle.pid()
    }

    /// Returns a clone of the handle: for all other requests, and for sending from other tasks.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Returns how many partial messages were dropped because nobody read them, see [`Unread`](crate::Unread).
    pub fn dropped_partials(&self) -> u64 {
        self.messages.dropped_partials()
    }

    /// Splits the session into its sending half and its reading half. The CLI is shut down when both are dropped.
    ///
    /// [`Messages`] does not stop at the end of a run: it ends when the CLI exits.
    pub fn split(self) -> (Handle, Messages) {
        let Self { handle, mut messages } = self;
        messages.keep(handle.clone());
        (handle, messages)
    }

    /// Replaces the information about the CLI by that for a claimed session.
    pub(crate) fn replace_welcome(&mut self, welcome: Welcome) {
        self.handle.replace_welcome(welcome);
    }

    /// Returns whether the CLI has exited and all its messages were read.
    pub(crate) fn is_over(&self) -> bool {
        self.messages.is_over()
    }

    /// Shuts the CLI down and waits until it has exited. Its input is closed first; if it does not exit within the
    /// grace periods set with [`Agent::shutdown_timeouts`], it is sent a termination signal and then killed.
    ///
    /// Work in progress is aborted. To let it finish, read to the end of the run first.
    ///
    /// # Errors
    /// [`Error::Ended`] if the CLI had already exited unexpectedly.
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

/// Sends the lines of transcripts to the session store, if there is one.
fn mirrored(connection: Connection, options: &Options) -> Connection {
    let store = &options.conversation.store;
    let Some(to) = &store.store else { return connection };
    let output = Mirrored::new(connection.output, Arc::clone(to), store.flush, store.project.clone());
    Connection { output: Box::new(output), ..connection }
}

/// Sends the request `initialize` and checks the response. After an error, the CLI is being shut down.
async fn initialize(
    link: &Link,
    first: &Initialize<'_>,
    options: &Options,
    callbacks: &Callbacks,
) -> Result<Welcome, Error> {
    let limit = options.environment.initialize_timeout.unwrap_or(INITIALIZE_TIMEOUT);
    let answer = match tokio::time::timeout(limit, link.request("initialize", first)).await {
        Ok(Err(Error::Refused { .. })) if options.environment.joins => None,
        Ok(answer) => answer?,
        Err(_) => {
            link.stop(Stop::Asked);
            let ending = link.ended().await.ending.clone();
            return Err(Error::InitializeTimeout { after: limit, ending: Box::new(ending) });
        }
    };
    let welcome: Welcome = Typed::new(answer.unwrap_or_else(|| serde_json::value::RawValue::NULL.to_owned()));
    let running = welcome.session_state.as_deref().is_some_and(|state| state != SessionState::Idle.as_str());
    if options.environment.joins && running {
        link.run().joined_running();
    }
    let unsupported = unsupported(options, callbacks, &welcome).filter(|_| !options.environment.joins);
    if let Some(feature) = unsupported {
        link.stop(Stop::Asked);
        link.ended().await;
        return Err(Error::Unsupported { feature });
    }
    Ok(welcome)
}

/// Returns an option of this session that the CLI does not support.
fn unsupported(options: &Options, callbacks: &Callbacks, welcome: &Welcome) -> Option<&'static str> {
    if callbacks.hooks.block_on_failure() && welcome.hook_on_failure_supported != Some(true) {
        return Some("block_on_failure of a hook");
    }
    if options.servers.in_initialize().is_some() && welcome.mcp_servers_applied != Some(true) {
        return Some("mcp_servers_delivery");
    }
    (options.settings.managed.is_some() && welcome.managed_settings_applied != Some(true)).then_some("managed_settings")
}

impl Stream for Session {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.messages.poll_run(context)
    }
}
