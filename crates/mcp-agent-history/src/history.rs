//! All sessions of a user.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::HistoryError;
use crate::record::Records;
use crate::running;
use crate::session::SessionInfo;

/// The sessions that the CLI keeps, in its own files.
#[derive(Debug, Clone)]
pub struct History {
    claude: PathBuf,
}

impl History {
    /// The history of the user with this home.
    pub fn of_home(home: impl AsRef<Path>) -> Self {
        Self::at(home.as_ref().join(".claude"))
    }

    /// The history in this directory, which is `~/.claude` unless `CLAUDE_CONFIG_DIR` says otherwise.
    pub fn at(claude: impl Into<PathBuf>) -> Self {
        Self { claude: claude.into() }
    }

    /// All sessions, those written to last first. A file that cannot be read is left out.
    ///
    /// # Errors
    /// When the directory is there and cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionInfo>, HistoryError> {
        let mut sessions = Vec::new();
        for project in directory(&self.projects())? {
            sessions.extend(of_project(&project)?);
        }
        Ok(newest_first(sessions))
    }

    /// The sessions that worked in a directory, those written to last first.
    ///
    /// # Errors
    /// When the directory is there and cannot be read.
    pub fn sessions_of(&self, cwd: impl AsRef<Path>) -> Result<Vec<SessionInfo>, HistoryError> {
        Ok(newest_first(of_project(&self.projects().join(slug(cwd.as_ref())))?))
    }

    /// One session.
    ///
    /// # Errors
    /// When there is none, or its file cannot be read.
    pub fn session(&self, id: &str) -> Result<SessionInfo, HistoryError> {
        let path = self.file(id)?;
        SessionInfo::of_file(&path).map_err(HistoryError::io(path))
    }

    /// Reads a session, line by line, also one that runs.
    ///
    /// # Errors
    /// When there is none, or its file cannot be opened.
    pub fn read(&self, id: &str) -> Result<Records, HistoryError> {
        Records::open(&self.file(id)?)
    }

    /// The process in which the session runs, if it does.
    ///
    /// # Errors
    /// When what was given is no id.
    pub fn running(&self, id: &str) -> Result<Option<u32>, HistoryError> {
        Ok(running::pid_of(&self.claude, checked(id)?))
    }

    /// The file of a session.
    pub(crate) fn file(&self, id: &str) -> Result<PathBuf, HistoryError> {
        let name = format!("{}.jsonl", checked(id)?);
        let found = directory(&self.projects())?.into_iter().map(|project| project.join(&name)).find(|path| path.is_file());
        found.ok_or_else(|| HistoryError::NotFound { id: id.to_owned() })
    }

    /// The file of a session, to be written to: it does not run.
    pub(crate) fn file_at_rest(&self, id: &str) -> Result<PathBuf, HistoryError> {
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

/// How the CLI names the directory of a project: whatever is no letter or digit becomes a hyphen.
fn slug(cwd: &Path) -> String {
    cwd.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// An id names a file, and must not name one elsewhere.
fn checked(id: &str) -> Result<&str, HistoryError> {
    let fine = !id.is_empty() && id.len() <= 128 && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if fine { Ok(id) } else { Err(HistoryError::BadId { id: id.to_owned() }) }
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

/// What is in a directory; nothing where there is none.
fn directory(path: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    match fs::read_dir(path) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(source) => Err(HistoryError::Io { path: path.to_owned(), source }),
    }
}
