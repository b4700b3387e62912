//! Changes of sessions in a session store.

use mcp_agent::store::{SessionSummary, StoredLine};
use serde_json::Value;

use crate::change::{tag_line, title_line};
use crate::error::HistoryError;
use crate::fork::{Fork, Ids};
use crate::stored::StoredSessions;

/// # Changes
///
/// A session that is running can be changed too: the store does not know which sessions are running.
impl StoredSessions {
    /// Sets the title of a session.
    ///
    /// # Errors
    /// If the store does not have the session, or fails.
    pub async fn rename(&self, id: &str, title: &str) -> Result<(), HistoryError> {
        self.session(id).await?;
        self.append(id, &[title_line(id, title)]).await
    }

    /// Sets the tag of a session. `None` removes the tag.
    ///
    /// # Errors
    /// If the store does not have the session, or fails.
    pub async fn tag(&self, id: &str, tag: Option<&str>) -> Result<(), HistoryError> {
        self.session(id).await?;
        self.append(id, &[tag_line(id, tag)]).await
    }

    /// Copies a session within the store and returns the id of the copy. Large tool results and file backups are not part of a
    /// store, and transcripts of sub-agents are not copied.
    ///
    /// # Errors
    /// If the store does not have the session or the message, or fails.
    pub async fn fork(&self, id: &str, fork: &Fork) -> Result<String, HistoryError> {
        let lines = self.lines(&self.key(id)?).await?;
        let mut ids = Ids::new(id, fork);
        lines.iter().for_each(|line| ids.add(line.as_str().as_bytes()));
        ids.check()?;
        let title = fork.title_of(&SessionSummary::new(id).fold(&lines, 0));
        let mut copied: Vec<StoredLine> = Vec::with_capacity(lines.len());
        for line in lines.iter().filter_map(|line| ids.copied(line.as_str().as_bytes())) {
            copied.push(StoredLine::parse(&line).map_err(|error| HistoryError::Store(error.into()))?);
        }
        self.store.append(&self.key(&ids.copy)?, &copied).await.map_err(HistoryError::Store)?;
        self.append(&ids.copy, &[ids.title(&title)]).await?;
        Ok(ids.copy)
    }

    async fn append(&self, id: &str, lines: &[Value]) -> Result<(), HistoryError> {
        let lines: Result<Vec<StoredLine>, _> = lines.iter().map(|line| StoredLine::parse(&line.to_string())).collect();
        let lines = lines.map_err(|error| HistoryError::Store(error.into()))?;
        self.store.append(&self.key(id)?, &lines).await.map_err(HistoryError::Store)
    }
}
