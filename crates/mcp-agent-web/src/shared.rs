//! What all parts of a hub share.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use mcp_agent::{Agent, Pending};
use mcp_agent_history::History;
use serde_json::json;
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;

use crate::access::Access;
use crate::chat::Chat;
use crate::command::{Command, is_uuid};
use crate::error::WebError;
use crate::imported;
use crate::options::Options;
use crate::session::{Journal, Lease, Runner};
use crate::store::{ChatState, ChatStore, StoreError};

/// Creates the agent of a chat.
pub(crate) type AgentOf = dyn Fn(Chat) -> Agent + Send + Sync;

/// What all parts of a hub share.
pub(crate) struct Shared {
    pub(crate) agent: Arc<AgentOf>,
    pub(crate) store: Arc<dyn ChatStore>,
    pub(crate) options: Options,
    pub(crate) access: Access,
    pub(crate) history: Option<(History, PathBuf)>,
    /// Becomes true when the hub shuts down.
    pub(crate) stop: watch::Sender<bool>,
    /// How many runners there are.
    pub(crate) runners: watch::Sender<usize>,
    pub(crate) watchers: Arc<Semaphore>,
    pub(crate) sessions: Arc<Semaphore>,
}

impl Shared {
    /// Sends a command to the runner of a chat, and starts one if necessary. Returns false if it is a prompt that was sent
    /// before.
    pub(crate) async fn send(self: &Arc<Self>, chat: &str, command: &Command) -> Result<bool, WebError> {
        check(chat)?;
        command.check()?;
        let state = self.store.state(chat).await?;
        if state.is_ended {
            return Err(WebError::Ended);
        }
        if !state.is_held && self.sessions.available_permits() == 0 {
            return Err(WebError::TooManySessions);
        }
        let once = match command {
            Command::Prompt { id, .. } => Some(id.as_str()),
            Command::Interrupt | Command::Answer { .. } if !state.is_held => return Err(WebError::NotRunning),
            _ => None,
        };
        let text = serde_json::to_string(command).map_err(|error| StoreError::Failed(error.into()))?;
        let is_new = self.store.send(chat, text, once).await?;
        // A prompt that was sent before may wait without a runner, because its instance was killed.
        if is_new || state.has_commands {
            self.ensure_runner(chat).await?;
        }
        Ok(is_new)
    }

    /// Starts a runner for a chat, unless another one holds the chat.
    pub(crate) async fn ensure_runner(self: &Arc<Self>, chat: &str) -> Result<(), StoreError> {
        if *self.stop.borrow() {
            return Ok(());
        }
        if !self.start(chat).await? {
            // The other runner takes the command, unless its instance is gone. Then its lease expires.
            Arc::clone(self).take_over_later(chat.to_owned());
        }
        Ok(())
    }

    /// Starts a runner for a chat. Returns false if another one holds the chat, or too many sessions are open.
    async fn start(self: &Arc<Self>, chat: &str) -> Result<bool, StoreError> {
        let Ok(session) = Arc::clone(&self.sessions).try_acquire_owned() else { return Ok(false) };
        let Some(lease) = Lease::claim(&self.store, chat, self.options.lease).await? else { return Ok(false) };
        let shared = Arc::clone(self);
        self.runners.send_modify(|runners| *runners += 1);
        let running = Running(Arc::clone(self));
        let chat = chat.to_owned();
        tokio::spawn(async move {
            let is_done = Runner::run(Arc::clone(&shared), lease).await;
            drop((session, running));
            if !is_done {
                // The commands wait until the store works again.
                shared.take_over_later(chat);
            }
        });
        Ok(true)
    }

    fn take_over_later(self: Arc<Self>, chat: String) {
        let take_over: Pending<'static, ()> = Box::pin(self.take_over(chat));
        tokio::spawn(take_over);
    }

    /// Waits until a runner has taken the commands of a chat, and runs them here if the other runner is gone.
    async fn take_over(self: Arc<Self>, chat: String) {
        loop {
            sleep(self.options.lease / 2).await;
            let taken = self.take_over_once(&chat).await;
            match taken {
                Ok(false) => {}
                Ok(true) => return,
                Err(error) => tracing::warn!(%error, chat, "cannot read the state of a chat"),
            }
            if *self.stop.borrow() {
                return;
            }
        }
    }

    async fn take_over_once(self: &Arc<Self>, chat: &str) -> Result<bool, StoreError> {
        let state = self.store.state(chat).await?;
        if state.is_ended || !state.has_commands {
            return Ok(true);
        }
        self.start(chat).await
    }

    /// Repairs a chat whose runner is gone: ends its turn, so that nobody waits for it. Runs commands that it left behind.
    pub(crate) async fn recover(self: &Arc<Self>, chat: &str, state: &ChatState) -> Result<(), StoreError> {
        if state.is_held || state.is_ended || *self.stop.borrow() {
            return Ok(());
        }
        if state.has_commands {
            return self.ensure_runner(chat).await;
        }
        let Some(lease) = Lease::claim(&self.store, chat, self.options.lease).await? else {
            return Ok(());
        };
        let mut journal = Journal::open(Arc::clone(&self.store), self.options, lease).await?;
        if journal.transcript.is_busy || !journal.transcript.asks.is_empty() {
            journal.end_lost_turn().await?;
        }
        journal.lease.release().await
    }

    /// Fills a chat that has no events with the conversation that the CLI has stored under its id, if there is one.
    pub(crate) async fn import(self: &Arc<Self>, chat: &str) -> Result<(), StoreError> {
        let Some((history, cwd)) = self.history.clone() else { return Ok(()) };
        let name = chat.to_owned();
        let read = tokio::task::spawn_blocking(move || imported::transcript(&history, &cwd, &name));
        let Ok(Some(transcript)) = read.await else { return Ok(()) };
        let Some(lease) = Lease::claim(&self.store, chat, self.options.lease).await? else { return Ok(()) };
        let mut journal = Journal::open(Arc::clone(&self.store), self.options, lease).await?;
        // Another watcher may have imported it in the meantime.
        if journal.is_empty() {
            journal.transcript = transcript;
            journal.note("chat.resumed", &json!({"type": "resumed", "session": chat})).await?;
            journal.snapshot().await?;
        }
        journal.lease.release().await
    }
}

/// Checks the id of a chat.
pub(crate) fn check(chat: &str) -> Result<(), WebError> {
    if is_uuid(chat) { Ok(()) } else { Err(WebError::Invalid(crate::command::InvalidCommand::Id)) }
}

/// Counts a runner until it is dropped, also if the runner panics.
struct Running(Arc<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.runners.send_modify(|runners| *runners -= 1);
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("store", &self.store).field("options", &self.options).finish_non_exhaustive()
    }
}
