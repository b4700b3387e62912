//! The task that runs the session of a chat.

use std::future::ready;
use std::path::PathBuf;
use std::sync::Arc;

use mcp_agent::{Error, Handle, Message, Messages, PermissionMode, Prompt};
use mcp_agent_history::History;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, sleep_until};

use super::asks::{Asks, Note};
use super::journal::Journal;
use super::lease::Lease;
use crate::chat::Chat;
use crate::command::Command;
use crate::imported;
use crate::shared::Shared;
use crate::store::StoreError;

/// The task that runs the session of a chat: it takes commands, and appends what the session says.
pub(crate) struct Runner {
    shared: Arc<Shared>,
    journal: Journal,
    asks: Asks,
    notes: mpsc::UnboundedReceiver<Note>,
    session: Option<(Handle, Messages)>,
    /// How many dropped partial messages of the open session were reported.
    reported_partials: u64,
    is_ended: bool,
}

/// What a runner waits for.
enum Wake {
    Commands,
    Note(Option<Note>),
    Message(Result<Option<Message>, Error>),
    /// Nothing has happened. A notification may have been lost, so the runner looks for commands.
    Look,
    Idle,
    Stop,
}

impl Runner {
    /// Runs until the chat is idle, ended or taken over, or the hub shuts down. Returns false if the store has failed, so that
    /// commands may wait.
    pub(crate) async fn run(shared: Arc<Shared>, lease: Lease) -> bool {
        let chat = lease.chat.clone();
        let journal = match Journal::open(Arc::clone(&shared.store), shared.options, lease).await {
            Ok(journal) => journal,
            Err(error) => {
                tracing::error!(error = %Chain(&error), chat, "cannot read the events of a chat");
                return false;
            }
        };
        let (sender, notes) = mpsc::unbounded_channel();
        let asks = Asks::new(sender);
        let mut runner = Self { shared, journal, asks, notes, session: None, reported_partials: 0, is_ended: false };
        match runner.work().await {
            Ok(()) => {
                runner.close().await;
                true
            }
            // The session is dropped, which ends the CLI: another runner may resume the conversation.
            Err(error) => {
                tracing::error!(error = %Chain(&error), chat, "cannot store the events of a chat");
                false
            }
        }
    }

    async fn work(&mut self) -> Result<(), StoreError> {
        let mut changes = self.shared.store.changes(&self.journal.lease.chat);
        let mut stop = self.shared.stop.subscribe();
        if self.journal.transcript.is_busy || !self.journal.transcript.asks.is_empty() {
            self.journal.end_lost_turn().await?;
        }
        let mut is_quiet_until = Instant::now() + self.shared.options.idle;
        loop {
            self.take_commands().await?;
            if self.is_ended {
                return Ok(());
            }
            match self.wake(&mut changes, &mut stop, is_quiet_until).await {
                Wake::Commands => {}
                Wake::Look => continue,
                Wake::Note(note) => {
                    self.catch_up().await?;
                    self.note(note).await?;
                }
                Wake::Message(next) => {
                    self.message(next).await?;
                    // Messages and a store in memory may be ready all the time. The other tasks, such as the one that extends
                    // the lease, must run too.
                    yield_now().await;
                }
                Wake::Idle => return Ok(()),
                Wake::Stop => return Ok(()),
            }
            is_quiet_until = Instant::now() + self.shared.options.idle;
        }
    }

    async fn wake(&mut self, changes: &mut watch::Receiver<()>, stop: &mut watch::Receiver<bool>, idle: Instant) -> Wake {
        let is_idle = self.asks.is_empty() && !self.journal.transcript.is_busy;
        let next = async {
            match &mut self.session {
                Some((_, messages)) => messages.next().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            _ = stop.wait_for(|stop| *stop) => Wake::Stop,
            () = self.journal.lease.lost() => Wake::Stop,
            note = self.notes.recv() => Wake::Note(note),
            next = next => Wake::Message(next),
            _ = changes.changed() => Wake::Commands,
            () = sleep_until(idle), if is_idle => Wake::Idle,
            () = sleep(self.shared.options.lease / 2) => Wake::Look,
        }
    }

    /// Runs the waiting commands. Each is removed after its event was appended: if this runner is killed before, the next one
    /// finds it again.
    async fn take_commands(&mut self) -> Result<(), StoreError> {
        while !self.is_ended {
            let lease = &self.journal.lease;
            let Some(text) = self.shared.store.next_command(&lease.chat, &lease.id).await? else { break };
            match serde_json::from_str(&text) {
                Ok(Command::Prompt { id, text }) => self.prompt(id, text).await?,
                // It is removed with the other commands, at the end of the chat.
                Ok(Command::End) => self.is_ended = true,
                Ok(command) => {
                    self.command(command).await?;
                    self.remove_command().await?;
                }
                Err(error) => {
                    tracing::warn!(%error, "ignoring a command of a chat that cannot be read");
                    self.remove_command().await?;
                }
            }
        }
        Ok(())
    }

    async fn remove_command(&self) -> Result<(), StoreError> {
        let lease = &self.journal.lease;
        self.shared.store.remove_command(&lease.chat, &lease.id).await
    }

    async fn command(&mut self, command: Command) -> Result<(), StoreError> {
        let handle = self.session.as_ref().map(|(handle, _)| handle.clone());
        match command {
            Command::Mode { mode } => {
                self.journal.note("chat.mode", &json!({"type": "mode", "mode": mode})).await?;
                if let Some(handle) = handle {
                    tokio::spawn(async move { handle.set_permission_mode(mode).await });
                }
            }
            Command::Answer { id, answer } => {
                self.asks.answer(&id, &answer);
            }
            Command::Interrupt => {
                if let Some(handle) = handle {
                    // Not awaited: the CLI may send messages before it answers, and they must be read.
                    tokio::spawn(async move { handle.interrupt().await });
                }
            }
            Command::Prompt { .. } | Command::End => {}
        }
        Ok(())
    }

    async fn prompt(&mut self, id: String, text: String) -> Result<(), StoreError> {
        // Another runner has appended it, and was killed before it removed the command.
        if self.journal.transcript.has_prompt(&id) {
            return self.remove_command().await;
        }
        self.journal.narrator.prompted();
        self.journal.note("chat.prompt", &json!({"type": "prompt", "id": id, "text": text})).await?;
        self.remove_command().await?;
        let mut stop = self.shared.stop.subscribe();
        let opened = tokio::select! {
            opened = self.open() => opened,
            // A CLI that does not start must not delay the shutdown. The turn is ended when the runner is closed.
            _ = stop.wait_for(|stop| *stop) => return Ok(()),
        };
        let sent = match opened {
            Ok(handle) => handle.send(Prompt::text(text).with_uuid(id)).await.map(drop),
            Err(error) => Err(error),
        };
        match sent {
            Ok(()) | Err(Error::DuplicatePrompt { .. }) => Ok(()),
            Err(error) => self.failed(&error).await,
        }
    }

    /// Returns the open session. Opens one if there is none: resumes the conversation if the chat has one.
    async fn open(&mut self) -> Result<Handle, Error> {
        if let Some((handle, _)) = &self.session {
            return Ok(handle.clone());
        }
        let chat = self.journal.lease.chat.clone();
        let agent = (self.shared.agent)(Chat::new(chat.clone(), self.asks.clone())).partial_messages(true);
        let known = match self.journal.transcript.session_id.clone() {
            Some(session) => Some(session),
            None => is_stored(self.shared.history.clone(), chat.clone()).await.then(|| chat.clone()),
        };
        let agent = match known {
            Some(session) => agent.resume(session),
            // The session of the CLI has the id of the chat. So the chat can be resumed even if nothing else is known.
            None => agent.session_id(chat),
        };
        let mode = self.journal.transcript.mode.clone().and_then(|mode| serde_json::from_value(mode.into()).ok());
        let agent = match mode {
            Some(mode @ (PermissionMode::AcceptEdits | PermissionMode::Plan)) => agent.permission_mode(mode),
            _ => agent,
        };
        let (handle, messages) = agent.open().await?.split();
        self.session = Some((handle.clone(), messages));
        self.reported_partials = 0;
        Ok(handle)
    }

    async fn message(&mut self, next: Result<Option<Message>, Error>) -> Result<(), StoreError> {
        match next {
            Ok(Some(message)) => {
                for event in self.journal.narrator.message(&message) {
                    self.journal.append(&event).await?;
                }
                self.report_dropped().await
            }
            Err(error) => self.failed(&error).await,
            Ok(None) => self.closed().await,
        }
    }

    /// Appends the messages that came before a question, so that those who watch see first why it is asked.
    async fn catch_up(&mut self) -> Result<(), StoreError> {
        let waiting = self.session.as_ref().map_or(0, |(_, messages)| messages.waiting());
        for _ in 0..waiting {
            let Some((_, messages)) = &mut self.session else { break };
            let next = tokio::select! {
                biased;
                next = messages.next() => next,
                // Partial messages that waited may have been dropped.
                () = ready(()) => break,
            };
            self.message(next).await?;
            yield_now().await;
        }
        Ok(())
    }

    /// Appends an error. Every error but that of a turn ends the session.
    async fn failed(&mut self, error: &Error) -> Result<(), StoreError> {
        for event in self.journal.narrator.error(error) {
            self.journal.append(&event).await?;
        }
        match error {
            Error::Turn(_) => Ok(()),
            _ => self.closed().await,
        }
    }

    /// The CLI has exited. The next prompt starts it again.
    async fn closed(&mut self) -> Result<(), StoreError> {
        self.session = None;
        self.asks.clear();
        self.take_notes().await?;
        if self.journal.narrator.is_in_turn() && self.journal.transcript.is_busy {
            for event in self.journal.narrator.fail("the claude CLI has exited") {
                self.journal.append(&event).await?;
            }
        }
        Ok(())
    }

    async fn note(&mut self, note: Option<Note>) -> Result<(), StoreError> {
        match note {
            Some(Note { name, data, .. }) => self.journal.note(name, &data).await,
            None => Ok(()),
        }
    }

    async fn take_notes(&mut self) -> Result<(), StoreError> {
        while let Ok(note) = self.notes.try_recv() {
            self.note(Some(note)).await?;
        }
        Ok(())
    }

    /// Tells those who watch how many partial messages were left out in this chat so far, in all of its sessions.
    async fn report_dropped(&mut self) -> Result<(), StoreError> {
        let dropped = self.session.as_ref().map_or(0, |(_, messages)| messages.dropped_partials());
        let new = dropped - std::mem::replace(&mut self.reported_partials, dropped);
        if new == 0 {
            return Ok(());
        }
        let partials = self.journal.transcript.dropped_partials + new;
        self.journal.note("chat.dropped", &json!({"type": "dropped", "partials": partials})).await
    }

    /// Shuts the CLI down, saves a snapshot and gives the lease back.
    async fn close(mut self) {
        if let Some((handle, messages)) = self.session.take() {
            drop(messages);
            handle.close().await;
        }
        self.asks.clear();
        let done = async {
            self.take_notes().await?;
            if self.journal.transcript.is_busy {
                self.journal.end_lost_turn().await?;
            }
            if self.is_ended {
                self.journal.end().await?;
            }
            self.journal.snapshot().await
        };
        if let Err(error) = done.await {
            tracing::error!(error = %Chain(&error), "cannot store the end of a session");
        }
        if let Err(error) = self.journal.lease.release().await {
            tracing::error!(error = %Chain(&error), "cannot release a chat");
        }
    }
}

/// Returns whether the CLI has stored a session with this id.
async fn is_stored(history: Option<(History, PathBuf)>, id: String) -> bool {
    let Some((history, cwd)) = history else { return false };
    tokio::task::spawn_blocking(move || imported::is_stored(&history, &cwd, &id)).await.unwrap_or_default()
}

/// Shows an error with its sources.
pub(crate) struct Chain<'a>(pub(crate) &'a dyn std::error::Error);

impl std::fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            write!(f, ": {error}")?;
            source = error.source();
        }
        Ok(())
    }
}
