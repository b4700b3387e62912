//! Transcripts of sub-agents.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::conversation::{Conversation, chain_of};
use crate::error::HistoryError;
use crate::history::{History, checked, directory};

/// A sub-agent of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subagent {
    /// The id of the sub-agent.
    pub id: String,
    /// The path of the sub-agent's transcript.
    pub path: PathBuf,
    /// The type of the sub-agent, for instance `general-purpose`.
    pub agent_type: Option<String>,
    /// The description of the sub-agent's task.
    pub description: Option<String>,
    /// The id of the tool use that started the sub-agent.
    pub tool_use_id: Option<String>,
    /// The id of the sub-agent that started this one. `None` if the main agent did.
    pub parent_agent_id: Option<String>,
}

/// The file `agent-<id>.meta.json`.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metadata {
    agent_type: Value,
    description: Value,
    tool_use_id: Value,
    parent_agent_id: Value,
}

/// # Sub-agents
impl History {
    /// Returns the sub-agents of a session, by id.
    ///
    /// # Errors
    /// If the session does not exist or its directory cannot be read.
    pub fn subagents(&self, id: &str) -> Result<Vec<Subagent>, HistoryError> {
        let mut found = Vec::new();
        collect(&self.file(id)?.with_extension("").join("subagents"), &mut found)?;
        found.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(found)
    }

    /// Reads the conversation of a sub-agent.
    ///
    /// # Errors
    /// If the session or the sub-agent does not exist, or its file cannot be read.
    pub fn subagent(&self, id: &str, agent: &str) -> Result<Conversation, HistoryError> {
        let agent = checked(agent)?;
        let found = self.subagents(id)?.into_iter().find(|subagent| subagent.id == agent);
        let subagent = found.ok_or_else(|| HistoryError::NotFound { id: agent.to_owned() })?;
        Ok(Conversation::new(chain_of(&subagent.path)?.entries(true), true))
    }
}

/// Collects the transcripts in a directory and below it.
fn collect(folder: &Path, found: &mut Vec<Subagent>) -> Result<(), HistoryError> {
    for path in directory(folder)? {
        // Links are not followed: the directory of a session contains none.
        let Ok(kind) = fs::symlink_metadata(&path) else { continue };
        if kind.is_dir() {
            collect(&path, found)?;
        } else if kind.is_file() {
            found.extend(of_file(path));
        }
    }
    Ok(())
}

fn of_file(path: PathBuf) -> Option<Subagent> {
    let id = path.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(".jsonl")?.to_owned();
    let metadata = fs::read(path.with_extension("meta.json")).unwrap_or_default();
    let metadata: Metadata = serde_json::from_slice(&metadata).unwrap_or_default();
    let text = |value: Value| value.as_str().map(str::to_owned);
    Some(Subagent {
        id,
        path,
        agent_type: text(metadata.agent_type),
        description: text(metadata.description),
        tool_use_id: text(metadata.tool_use_id),
        parent_agent_id: text(metadata.parent_agent_id),
    })
}
