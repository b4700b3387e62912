//! Earlier sessions of this folder, as the CLI has stored them.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mcp_agent::Message;
use mcp_agent_history::{Entry, History, HistoryError, SessionInfo};

use crate::screen::plain;

/// How many sessions are listed.
const LISTED: usize = 10;

/// How many messages of a session are shown when it is continued.
const SHOWN: usize = 4;

pub(crate) struct Earlier {
    history: History,
    cwd: PathBuf,
}

impl Earlier {
    pub(crate) fn new(home: &Path, cwd: &Path) -> Earlier {
        Earlier { history: History::of_home(home), cwd: cwd.to_owned() }
    }

    /// Returns the latest sessions as numbered lines.
    pub(crate) fn list(&self) -> Result<Vec<String>, HistoryError> {
        let line = |(session, number): (SessionInfo, usize)| {
            let label: String = plain(session.label().unwrap_or("untitled")).chars().take(60).collect();
            format!("{number:>3}) {label} ({}, {})", age(session.modified), session.id)
        };
        Ok(self.sessions()?.into_iter().take(LISTED).zip(1..).map(line).collect())
    }

    /// Returns the id of the session that the user named: by its number in the list, or by its id.
    pub(crate) fn find(&self, which: &str) -> Result<Option<String>, HistoryError> {
        let sessions = self.sessions()?;
        let number = which.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|index| *index < LISTED);
        let found = match number {
            Some(index) => sessions.get(index),
            None => sessions.iter().find(|session| session.id == which),
        };
        Ok(found.map(|session| session.id.clone()))
    }

    /// Returns the end of a conversation.
    pub(crate) fn end_of(&self, id: &str) -> Result<Vec<String>, HistoryError> {
        let conversation = self.history.conversation(id)?;
        let mut said: Vec<String> = conversation.messages().rev().filter_map(said).take(SHOWN).collect();
        said.reverse();
        Ok(said)
    }

    fn sessions(&self) -> Result<Vec<SessionInfo>, HistoryError> {
        self.history.sessions_of(&self.cwd)
    }
}

/// Returns what a user or the model has said.
fn said(entry: &Entry) -> Option<String> {
    let (mark, text) = match &entry.message {
        Message::User(user) if !entry.is_meta && !entry.is_compact_summary => ("> ", user.message.content.text()),
        Message::Assistant(assistant) => ("", assistant.message.content.text()),
        _ => return None,
    };
    let text = text.filter(|text| !text.trim().is_empty())?;
    Some(text.lines().map(|line| format!("{mark}{}", plain(line))).collect::<Vec<_>>().join("\n"))
}

fn age(time: SystemTime) -> String {
    let minutes = time.elapsed().unwrap_or_default().as_secs() / 60;
    match minutes {
        0..60 => format!("{minutes} min ago"),
        60..2880 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    }
}
