//! Sessions in a session store: import from disk, lists and conversations.

use std::sync::Arc;

use mcp_agent::store::{SessionKey, SessionStore, SessionSummary, StoredLine, project_folder};

use crate::chain::Chain;
use crate::conversation::Conversation;
use crate::error::HistoryError;
use crate::history::{History, checked};
use crate::line;

/// How to copy a session to a store, for [`History::import`].
#[derive(Debug, Clone)]
pub struct Import {
    project: Option<String>,
    subagents: bool,
    batch: usize,
}

impl Import {
    /// Copies a session with its sub-agents, 500 lines at a time.
    pub fn new() -> Self {
        Self { project: None, subagents: true, batch: 500 }
    }

    /// Sets the project of the key. The default is the name of the directory that has the session on disk.
    #[must_use]
    pub fn project(mut self, project: impl Into<String>) -> Self {
        self.project = Some(project.into());
        self
    }

    /// Sets whether sub-agents are copied too.
    #[must_use]
    pub fn subagents(mut self, include: bool) -> Self {
        self.subagents = include;
        self
    }

    /// Sets how many lines one append has at most.
    #[must_use]
    pub fn batch(mut self, lines: usize) -> Self {
        self.batch = lines.max(1);
        self
    }
}

impl Default for Import {
    fn default() -> Self {
        Self::new()
    }
}

/// # Session stores
impl History {
    /// Copies a session from disk to a store. Lines that are not JSON objects are skipped.
    ///
    /// # Errors
    /// If the session does not exist, a file cannot be read, or the store fails.
    pub async fn import(&self, id: &str, store: &dyn SessionStore, import: &Import) -> Result<(), HistoryError> {
        let path = self.file(id)?;
        let folder = path.parent().and_then(|folder| folder.file_name()).map(|name| name.to_string_lossy().into_owned());
        let key = SessionKey::new(import.project.clone().or(folder).unwrap_or_default(), id);
        append(store, &key, &path, import.batch).await?;
        let subagents = if import.subagents { self.subagents(id)? } else { Vec::new() };
        for subagent in subagents {
            let below = subagent.path.strip_prefix(path.with_extension("")).unwrap_or(&subagent.path).with_extension("");
            let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let key = key.with_subpath(&parts.join("/")).map_err(|error| HistoryError::Store(Box::new(error)))?;
            append(store, &key, &subagent.path, import.batch).await?;
            if let Some(metadata) = metadata(&subagent.path) {
                store.append(&key, &[metadata]).await.map_err(HistoryError::Store)?;
            }
        }
        Ok(())
    }
}

/// Copies the lines of a file.
async fn append(
    store: &dyn SessionStore,
    key: &SessionKey,
    path: &std::path::Path,
    batch: usize,
) -> Result<(), HistoryError> {
    let mut lines = Vec::new();
    line::each(path, |bytes| {
        lines.extend(std::str::from_utf8(bytes).ok().and_then(|text| StoredLine::parse(text).ok()));
        Ok(())
    })
    .map_err(HistoryError::io(path))?;
    for lines in lines.chunks(batch) {
        store.append(key, lines).await.map_err(HistoryError::Store)?;
    }
    Ok(())
}

/// Returns the metadata of a sub-agent, a file of its own on disk, as a line.
fn metadata(transcript: &std::path::Path) -> Option<StoredLine> {
    let text = std::fs::read(transcript.with_extension("meta.json")).ok()?;
    let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&text).ok()?;
    fields.insert("type".into(), "agent_metadata".into());
    StoredLine::parse(&serde_json::Value::Object(fields).to_string()).ok()
}

/// The sessions of a project in a session store.
#[derive(Debug, Clone)]
pub struct StoredSessions {
    pub(crate) store: Arc<dyn SessionStore>,
    project: String,
}

impl StoredSessions {
    /// Returns the sessions of a project.
    pub fn new(store: Arc<dyn SessionStore>, project: impl Into<String>) -> Self {
        Self { store, project: project.into() }
    }

    /// Returns the sessions of a working directory of this machine, which is the default project of `Agent::session_store`.
    pub fn of(store: Arc<dyn SessionStore>, cwd: impl AsRef<std::path::Path>) -> Self {
        let cwd = cwd.as_ref();
        Self::new(store, project_folder(cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned())))
    }

    /// Returns all sessions, the most recently modified first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(&self) -> Result<Vec<SessionSummary>, HistoryError> {
        let mut sessions = self.store.sessions(&self.project).await.map_err(HistoryError::Store)?;
        sessions.retain(|session| session.is_sidechain != Some(true));
        sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.session_id.cmp(&b.session_id)));
        Ok(sessions)
    }

    /// Returns the summary of a session.
    ///
    /// # Errors
    /// If the store does not have the session, or if the store fails.
    pub async fn session(&self, id: &str) -> Result<SessionSummary, HistoryError> {
        checked(id)?;
        let sessions = self.store.sessions(&self.project).await.map_err(HistoryError::Store)?;
        let session = sessions.into_iter().find(|session| session.session_id == id);
        session.ok_or_else(|| HistoryError::NotFound { id: id.to_owned() })
    }

    /// Reads the conversation of a session.
    ///
    /// # Errors
    /// If the store does not have the session, or if the store fails.
    pub async fn conversation(&self, id: &str) -> Result<Conversation, HistoryError> {
        let chain = self.chain(&self.key(id)?).await?;
        Ok(Conversation::new(chain.entries(false), false))
    }

    /// Returns the ids of the sub-agents of a session.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn subagents(&self, id: &str) -> Result<Vec<String>, HistoryError> {
        let subpaths = self.store.subpaths(&self.key(id)?).await.map_err(HistoryError::Store)?;
        let ids = subpaths.iter().filter_map(|subpath| subpath.rsplit('/').next()?.strip_prefix("agent-"));
        let mut ids: Vec<String> = ids.map(str::to_owned).collect();
        ids.sort();
        Ok(ids)
    }

    /// Reads the conversation of a sub-agent.
    ///
    /// # Errors
    /// If the store does not have the sub-agent, or fails.
    pub async fn subagent(&self, id: &str, agent: &str) -> Result<Conversation, HistoryError> {
        let key = self.key(id)?;
        let name = format!("agent-{}", checked(agent)?);
        let subpaths = self.store.subpaths(&key).await.map_err(HistoryError::Store)?;
        let subpath = subpaths.into_iter().find(|subpath| subpath.rsplit('/').next() == Some(name.as_str()));
        let subpath = subpath.ok_or_else(|| HistoryError::NotFound { id: agent.to_owned() })?;
        let key = key.with_subpath(&subpath).map_err(|error| HistoryError::Store(Box::new(error)))?;
        Ok(Conversation::new(self.chain(&key).await?.entries(true), true))
    }

    /// Deletes a session with its sub-agents, if the store can delete.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn delete(&self, id: &str) -> Result<(), HistoryError> {
        self.store.delete(&self.key(id)?).await.map_err(HistoryError::Store)
    }

    pub(crate) fn key(&self, id: &str) -> Result<SessionKey, HistoryError> {
        Ok(SessionKey::new(&self.project, checked(id)?))
    }

    async fn chain(&self, key: &SessionKey) -> Result<Chain, HistoryError> {
        let mut chain = Chain::default();
        self.lines(key).await?.iter().for_each(|line| chain.add(line.as_str().as_bytes()));
        Ok(chain)
    }

    pub(crate) async fn lines(&self, key: &SessionKey) -> Result<Vec<StoredLine>, HistoryError> {
        let lines = self.store.load(key).await.map_err(HistoryError::Store)?;
        lines.ok_or_else(|| HistoryError::NotFound { id: key.session.clone() })
    }
}
