//! The stored sessions of a user.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::HistoryError;
use crate::record::Records;
use crate::running;
use crate::session::SessionInfo;

/// The sessions that the CLI has stored on disk.
#[derive(Debug, Clone)]
pub struct History {
    claude: PathBuf,
}

impl History {
    /// Creates the history of the user with this home directory. Does no I/O.
    pub fn of_home(home: impl AsRef<Path>) -> Self {
        Self::at(home.as_ref().join(".claude"))
    }

    /// Creates the history in a configuration directory: `~/.claude`, or the value of `CLAUDE_CONFIG_DIR`. Does no I/O.
    pub fn at(claude: impl Into<PathBuf>) -> Self {
        Self { claude: claude.into() }
    }

    /// Returns all sessions, the most recently modified first. Files that cannot be read are skipped.
    ///
    /// # Errors
    /// If the directory exists but cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionInfo>, HistoryError> {
        let mut sessions = Vec::new();
        for project in directory(&self.projects())? {
            sessions.extend(of_project(&project)?);
        }
        Ok(newest_first(sessions))
    }

    /// Returns the sessions with this working directory, the most recently modified first.
    ///
    /// # Errors
    /// If the directory of the history exists but cannot be read.
    pub fn sessions_of(&self, cwd: impl AsRef<Path>) -> Result<Vec<SessionInfo>, HistoryError> {
        Ok(newest_first(of_project(&self.projects().join(slug(cwd.as_ref())))?))
    }

    /// Returns the description of a session.
    ///
    /// # Errors
    /// If the session does not exist or its file cannot be read.
    pub fn session(&self, id: &str) -> Result<SessionInfo, HistoryError> {
        let path = self.file(id)?;
        SessionInfo::of_file(&path).map_err(HistoryError::io(path))
    }

    /// Returns an iterator over the lines of a session. A running session can be read too.
    ///
    /// # Errors
    /// If the session does not exist or its file cannot be opened.
    pub fn read(&self, id: &str) -> Result<Records, HistoryError> {
        Records::open(&self.file(id)?)
    }

    /// Returns the id of the process that runs the session, or `None` if the session is not running.
    ///
    /// # Errors
    /// If the session id is invalid.
    pub fn running(&self, id: &str) -> Result<Option<u32>, HistoryError> {
        Ok(running::pid_of(&self.claude, checked(id)?))
    }

    /// Returns the path of the file of a session.
    pub(crate) fn file(&self, id: &str) -> Result<PathBuf, HistoryError> {
        let name = format!("{}.jsonl", checked(id)?);
        let found = directory(&self.projects())?.into_iter().map(|project| project.join(&name)).find(|path| path.is_file());
        found.ok_or_else(|| HistoryError::NotFound { id: id.to_owned() })
    }

    /// Returns the path of the file of a session that may be changed. Fails if the session is running.
    pub(crate) fn file_to_change(&self, id: &str) -> Result<PathBuf, HistoryError> {
        let path = self.file(id)?;
        match running::pid_of(&self.claude, id) {
            Some(pid) => Err(HistoryError::Running { id: id.to_owned(), pid }),
            None => Ok(path),
        }
    }

    fn projects(&self) -> PathBuf {
        self.claude.join("projects")
    }
}

/// Returns the CLI's name for the directory of a project: every character except letters and digits becomes a hyphen.
fn slug(cwd: &Path) -> String {
    cwd.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Checks a session id. It becomes part of a file name, so it must not contain path separators or dots.
fn checked(id: &str) -> Result<&str, HistoryError> {
    let fine = !id.is_empty() && id.len() <= 128 && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if fine { Ok(id) } else { Err(HistoryError::InvalidId { id: id.to_owned() }) }
}

fn of_project(project: &Path) -> Result<Vec<SessionInfo>, HistoryError> {
    let files = directory(project)?.into_iter();
    let sessions = files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl") && path.is_file());
    Ok(sessions.filter_map(|path| SessionInfo::of_file(&path).ok()).collect())
}

fn newest_first(mut sessions: Vec<SessionInfo>) -> Vec<SessionInfo> {
    sessions.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
    sessions
}

/// Returns the entries of a directory. A directory that does not exist has no entries.
fn directory(path: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    match fs::read_dir(path) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(source) => Err(HistoryError::Io { path: path.to_owned(), source }),
    }
}
