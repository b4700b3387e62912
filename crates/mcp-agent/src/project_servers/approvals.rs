//! The approvals of a user, in a file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::private_file;
use super::server::ProjectServer;
use crate::sys::settings_folder;

/// The approvals of a user, in a file that only this user can read and write.
#[derive(Debug)]
pub struct Approvals {
    path: PathBuf,
    approved: Vec<Approval>,
    ignored: Option<io::Error>,
}

/// Stores the approved content and not its digest, so that the user can read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Approval {
    directory: PathBuf,
    name: String,
    server: Value,
}

#[derive(Serialize, Deserialize)]
struct Content {
    approved: Vec<Approval>,
}

/// Why an approval could not be stored.
#[derive(Debug)]
#[non_exhaustive]
pub enum ApprovalError {
    /// The folder for settings of the user is not known: `HOME`, on Windows `APPDATA`, is not set.
    NoFolder,
    /// The file could not be written.
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
}

impl Approvals {
    /// Opens the approvals of the user: `mcp-agent/approved-servers.json` in the folder for settings of the user.
    ///
    /// That folder is `XDG_CONFIG_HOME` or `~/.config`, on Windows `APPDATA`.
    ///
    /// # Errors
    /// If the folder is not known.
    pub fn of_user() -> Result<Self, ApprovalError> {
        let settings = settings_folder().filter(|folder| folder.is_absolute()).ok_or(ApprovalError::NoFolder)?;
        Ok(Self::open(settings.join("mcp-agent").join("approved-servers.json")))
    }

    /// Opens a file of approvals. A missing file contains none.
    ///
    /// A file that cannot be trusted is ignored, and then nothing is approved: one that belongs to another user, that other
    /// users can read or write, whose folder other users can write, or that is damaged. [`ignored`](Self::ignored) has the
    /// reason.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        match load(&path) {
            Ok(approved) => Self { path, approved, ignored: None },
            Err(error) => {
                tracing::warn!(%error, "ignoring the approvals of MCP servers");
                Self { path, approved: Vec::new(), ignored: Some(error) }
            }
        }
    }

    /// Returns why the file is ignored, if it is.
    pub fn ignored(&self) -> Option<&io::Error> {
        self.ignored.as_ref()
    }

    /// Returns whether exactly this server is approved: this content, by this name, in this project.
    pub fn is_approved(&self, server: &ProjectServer) -> bool {
        self.approved.contains(&Approval::of(server))
    }

    /// Approves a server and remembers that. An approval of another content by the same name in the same project ends.
    ///
    /// # Errors
    /// If it cannot be remembered. It then holds until this value is dropped.
    pub fn approve(&mut self, server: &ProjectServer) -> Result<(), ApprovalError> {
        self.change(server, true)
    }

    /// Ends the approval of a server.
    ///
    /// # Errors
    /// If that cannot be remembered.
    pub fn revoke(&mut self, server: &ProjectServer) -> Result<(), ApprovalError> {
        self.change(server, false)
    }

    fn change(&mut self, server: &ProjectServer, approve: bool) -> Result<(), ApprovalError> {
        // Another process may have changed the file.
        if let Ok(approved) = load(&self.path) {
            self.approved = approved;
        }
        let approval = Approval::of(server);
        self.approved.retain(|other| (&other.directory, &other.name) != (&approval.directory, &approval.name));
        self.approved.extend(approve.then_some(approval));
        let content = Content { approved: self.approved.clone() };
        let written = serde_json::to_string_pretty(&content)
            .map_err(io::Error::from)
            .and_then(|text| private_file::write(&self.path, &(text + "\n")));
        written.map_err(|source| ApprovalError::Write { path: self.path.clone(), source })
    }
}

impl Approval {
    fn of(server: &ProjectServer) -> Self {
        Self { directory: server.directory().to_owned(), name: server.name().to_owned(), server: server.content() }
    }
}

fn load(path: &Path) -> io::Result<Vec<Approval>> {
    let Some(text) = private_file::read(path)? else {
        return Ok(Vec::new());
    };
    Ok(serde_json::from_str::<Content>(&text)?.approved)
}

impl fmt::Display for ApprovalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFolder => f.write_str("no folder for approvals of MCP servers is known: set HOME (APPDATA on Windows)"),
            Self::Write { path, .. } => write!(f, "cannot remember approvals of MCP servers in {}", path.display()),
        }
    }
}

impl Error for ApprovalError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoFolder => None,
            Self::Write { source, .. } => Some(source),
        }
    }
}
