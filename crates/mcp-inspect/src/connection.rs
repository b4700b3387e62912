//! The connection to the server that is inspected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mcp_client::{Builder, Client, Direction, LogLevel, Revision, State};
use serde_json::{Value, json};
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::AbortHandle;

use crate::journal::{Journal, cut};
use crate::questions::{Asker, Questions};

/// Returns a client that is not connected yet.
type Connect = Box<dyn Fn() -> Result<Builder, String> + Send + Sync>;

/// The client, and what it has heard.
pub(crate) struct Connection {
    /// The description of the server for the page.
    pub(crate) server: Value,
    pub(crate) journal: Arc<Journal>,
    pub(crate) questions: Arc<Questions>,
    connect: Connect,
    client: AsyncMutex<Option<Client>>,
    /// The tasks that wait for changes of resources, by URI.
    watched: Mutex<HashMap<String, AbortHandle>>,
}

impl Connection {
    pub(crate) fn new(server: Value, connect: Connect) -> Connection {
        Connection {
            server,
            journal: Arc::new(Journal::new()),
            questions: Questions::new(),
            connect,
            client: AsyncMutex::default(),
            watched: Mutex::default(),
        }
    }

    /// Returns the client. Connects if there is no connection yet.
    pub(crate) async fn client(&self) -> Result<Client, String> {
        let mut client = self.client.lock().await;
        match &*client {
            Some(client) => Ok(client.clone()),
            None => Ok(client.insert(self.open(None).await?).clone()),
        }
    }

    /// Connects again, perhaps in another revision.
    pub(crate) async fn reconnect(&self, revision: Option<Revision>) -> Result<Client, String> {
        let mut client = self.client.lock().await;
        self.watched().drain().for_each(|(_, task)| task.abort());
        if let Some(old) = client.take() {
            old.close().await;
        }
        Ok(client.insert(self.open(revision).await?).clone())
    }

    pub(crate) async fn close(&self) {
        if let Some(client) = self.client.lock().await.take() {
            client.close().await;
        }
    }

    async fn open(&self, revision: Option<Revision>) -> Result<Client, String> {
        let (messages, errors) = (self.journal.clone(), self.journal.clone());
        let mut builder = (self.connect)()?
            .handler(Asker(self.questions.clone()))
            .without_cache()
            .log_level(LogLevel::Debug)
            .timeout(None)
            .on_message(move |direction, json| {
                let text = String::from_utf8_lossy(json);
                let sent = direction == Direction::Sent;
                messages.add("message", json!({"sent": sent, "text": cut(&text), "size": json.len()}));
            })
            .on_stderr(move |bytes| errors.add("stderr", json!({"text": cut(&String::from_utf8_lossy(bytes))})));
        if let Some(revision) = revision {
            builder = builder.revision(revision);
        }
        self.journal.add("state", json!({"state": "connecting"}));
        let client = builder.await.map_err(|error| {
            let reason = error.to_string();
            self.journal.add("state", json!({"state": "failed", "reason": cut(&reason)}));
            reason
        })?;
        self.journal.add("state", json!({"state": "connected"}));
        self.follow(&client).await;
        Ok(client)
    }

    /// Writes log messages, changes of lists and states to the journal, until the client is closed.
    async fn follow(&self, client: &Client) {
        let (journal, mut logs) = (self.journal.clone(), client.logs());
        tokio::spawn(async move {
            while let Some(log) = logs.next().await {
                let text = log.data.as_str().map_or_else(|| log.data.to_string(), str::to_owned);
                let logger = log.logger.as_deref().map(cut);
                journal.add("log", json!({"level": log.level.as_str(), "logger": logger, "text": cut(&text)}));
            }
        });
        let (journal, mut states) = (self.journal.clone(), client.states());
        tokio::spawn(async move {
            while let Some(state) = states.next().await {
                journal.add("state", json!({"state": name(&state)}));
            }
        });
        let server = client.server().await;
        if let Ok(server) = &server
            && server.capabilities.logging.is_some()
            && !server.revision.is_stateless()
        {
            // If the server refuses, its answer is in the journal.
            let _ = client.set_log_level(LogLevel::Debug).await;
        }
        let can_change = server.is_ok_and(|server| {
            let can = server.capabilities;
            [can.tools, can.resources, can.prompts].into_iter().flatten().any(|offer| offer.list_changed)
        });
        if can_change {
            let (journal, listening) = (self.journal.clone(), client.clone());
            tokio::spawn(async move {
                let Ok(mut changes) = listening.listen().await else { return };
                drop(listening);
                while let Some(change) = changes.next().await {
                    journal.add("change", json!({"list": format!("{change:?}").to_lowercase()}));
                }
            });
        }
    }

    /// Reports changes of a resource in the journal from now on.
    pub(crate) async fn watch(&self, uri: String) -> Result<(), String> {
        let mut changes = self.client().await?.subscribe(&uri).await.map_err(|error| error.to_string())?;
        let journal = self.journal.clone();
        let task = tokio::spawn(async move {
            while let Some(uri) = changes.next().await {
                journal.add("updated", json!({"uri": cut(&uri)}));
            }
        });
        if let Some(old) = self.watched().insert(uri, task.abort_handle()) {
            old.abort();
        }
        Ok(())
    }

    pub(crate) fn unwatch(&self, uri: &str) {
        if let Some(task) = self.watched().remove(uri) {
            task.abort();
        }
    }

    fn watched(&self) -> std::sync::MutexGuard<'_, HashMap<String, AbortHandle>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name(state: &State) -> &'static str {
    match state {
        State::Connected => "connected",
        State::Connecting => "connecting",
        State::Waiting { .. } => "waiting",
        State::Failed => "failed",
        _ => "closed",
    }
}
