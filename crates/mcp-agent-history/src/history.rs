//! The stored sessions of a user.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mcp_agent::store::project_folder;

use crate::error::HistoryError;
use crate::filter::Filter;
use crate::record::Records;
use crate::running;
use crate::session::SessionInfo;
use crate::worktree;

/// The sessions that the CLI has stored on disk.
#[derive(Debug, Clone)]
pub struct History {
    pub(crate) claude: PathBuf,
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
        self.list(&Filter::new())
    }

    /// Returns the sessions with this working directory, or another worktree of the same Git repository, the most recently
    /// modified first.
    ///
    /// # Errors
    /// If the directory of the history exists but cannot be read.
    pub fn sessions_of(&self, cwd: impl AsRef<Path>) -> Result<Vec<SessionInfo>, HistoryError> {
        self.list(&Filter::new().of(cwd))
    }

    /// Returns the sessions that a filter selects, the most recently modified first. Files that cannot be read are skipped.
    ///
    /// # Errors
    /// If the directory of the history exists but cannot be read.
    pub fn list(&self, filter: &Filter) -> Result<Vec<SessionInfo>, HistoryError> {
        let mut files = self.files(filter)?;
        files.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.file_name().cmp(&b.path.file_name())));
        let mut seen = HashSet::new();
        let selected = files.into_iter().filter_map(|file| {
            let session = SessionInfo::of_file(&file.path).ok()??;
            let is_selected = (filter.programmatic || !session.is_programmatic())
                && file.cwd.is_none_or(|cwd| belongs(&session, &cwd))
                && seen.insert(session.id.clone());
            is_selected.then_some(session)
        });
        Ok(selected.skip(filter.offset).take(filter.limit).collect())
    }

    /// Returns the description of a session.
    ///
    /// # Errors
    /// If the session does not exist or its file cannot be read.
    pub fn session(&self, id: &str) -> Result<SessionInfo, HistoryError> {
        let path = self.file(id)?;
        let session = SessionInfo::of_file(&path).map_err(HistoryError::io(path))?;
        session.ok_or_else(|| HistoryError::NotFound { id: id.to_owned() })
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

    /// Returns the files of sessions that may be selected.
    fn files(&self, filter: &Filter) -> Result<Vec<SessionFile>, HistoryError> {
        let projects = directory(&self.projects())?;
        let Some(cwd) = &filter.cwd else {
            return Ok(projects.iter().flat_map(|project| files(project, None)).collect());
        };
        // The CLI resolves links before it names the directory of a project.
        let top = cwd.canonicalize().unwrap_or_else(|_| cwd.clone());
        let others = if filter.worktrees { worktree::others(&top) } else { Vec::new() };
        let mut found = Vec::new();
        for top in [top].into_iter().chain(others) {
            let name = project_folder(&top);
            for project in projects.iter().filter(|project| is_folder_of(project, &name)) {
                found.extend(files(project, Some(&top)));
            }
        }
        Ok(found)
    }
}

/// The file of a session, and the working directory that was asked for.
struct SessionFile {
    path: PathBuf,
    modified: SystemTime,
    cwd: Option<PathBuf>,
}

fn files(project: &Path, cwd: Option<&Path>) -> Vec<SessionFile> {
    let paths = directory(project).unwrap_or_default().into_iter();
    let sessions = paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let file = |path: PathBuf| {
        let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(SessionFile { path, modified: metadata.modified().ok()?, cwd: cwd.map(Path::to_owned) })
    };
    sessions.filter_map(file).collect()
}

/// Returns whether a directory has this name. The hash at the end of a shortened name was different in other versions of the
/// CLI, so it is not compared.
fn is_folder_of(project: &Path, name: &str) -> bool {
    let own = project.file_name().and_then(|own| own.to_str()).unwrap_or_default();
    own == name || (name.len() > 200 && own.get(..201) == name.get(..201))
}

/// Returns whether a session belongs to a working directory. Different directories can have the same name in the history:
/// `/a/b` and `/a-b`.
fn belongs(session: &SessionInfo, cwd: &Path) -> bool {
    let Some(own) = session.cwd.as_deref().map(Path::new) else { return true };
    let name = project_folder(cwd);
    let is_exact = session.path.parent().and_then(Path::file_name).is_some_and(|folder| folder == name.as_str());
    // A session that has changed its directory stays where it was.
    let has_moved = is_exact && project_folder(own) != name;
    own == cwd || has_moved || own.canonicalize().is_ok_and(|own| own == cwd)
}

/// Checks an id. It becomes part of a file name, so it must not contain path separators or dots.
pub(crate) fn checked(id: &str) -> Result<&str, HistoryError> {
    let fine = !id.is_empty() && id.len() <= 128 && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if fine { Ok(id) } else { Err(HistoryError::InvalidId { id: id.to_owned() }) }
}

/// Returns the entries of a directory. A directory that does not exist has no entries.
pub(crate) fn directory(path: &Path) -> Result<Vec<PathBuf>, HistoryError> {
    match fs::read_dir(path) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(source) => Err(HistoryError::Io { path: path.to_owned(), source }),
    }
}
