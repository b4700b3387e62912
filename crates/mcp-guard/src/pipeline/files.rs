//! Tools that read and write files, and what must hold before they write.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::invocation::Invocation;
use super::read_files::{ReadFiles, ReadState, content_of};

/// Which tools of a server read and write files.
///
/// Before such a tool writes to an existing file, the same caller must have read the file, and its content must not have
/// changed since. A caller is a session, with its authenticated identity if there is one; what one client has read does not
/// count for another. An edit must find its text exactly once, unless it replaces every occurrence. Arguments that do not
/// have the expected form are left to validation.
#[derive(Debug, Clone)]
pub struct Files {
    root: PathBuf,
    tools: HashMap<String, Kind>,
    read: Arc<ReadFiles>,
}

#[derive(Debug, Clone)]
enum Kind {
    Reads { path: String },
    Writes { path: String },
    Edits { path: String, old: String, all: String },
}

/// A file by the target of its path, with the hash of its content.
pub(crate) type Content = (PathBuf, [u8; 32]);

/// Why a call must not go on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileRefusal {
    /// The reason without any argument of the call, for the audit log.
    pub(crate) reason: &'static str,
    /// The reason for the model.
    pub(crate) shown: String,
}

impl Files {
    /// Creates the check. Relative paths in arguments are relative to `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), tools: HashMap::new(), read: Arc::default() }
    }

    /// Declares a tool that reads the file in this argument.
    #[must_use]
    pub fn reads(self, tool: impl Into<String>, path: impl Into<String>) -> Self {
        self.with(tool, Kind::Reads { path: path.into() })
    }

    /// Declares a tool that replaces the content of the file in this argument.
    #[must_use]
    pub fn writes(self, tool: impl Into<String>, path: impl Into<String>) -> Self {
        self.with(tool, Kind::Writes { path: path.into() })
    }

    /// Declares a tool that replaces a text in a file, with the arguments for the path, for the text to replace, and for
    /// whether to replace every occurrence.
    #[must_use]
    pub fn edits(
        self,
        tool: impl Into<String>,
        path: impl Into<String>,
        old: impl Into<String>,
        all: impl Into<String>,
    ) -> Self {
        self.with(tool, Kind::Edits { path: path.into(), old: old.into(), all: all.into() })
    }

    fn with(mut self, tool: impl Into<String>, kind: Kind) -> Self {
        self.tools.insert(tool.into(), kind);
        self
    }

    /// Checks whether the call may go on. Reads files, so it runs on a thread that may block.
    ///
    /// Returns the file that a reading tool is about to read, with its content.
    pub(crate) fn check(&self, call: &Invocation, caller: Option<&str>) -> Result<Option<Content>, FileRefusal> {
        let Some((kind, path)) = self.file(call) else { return Ok(None) };
        if matches!(kind, Kind::Reads { .. }) {
            return Ok(content_of(&path).ok());
        }
        let name = path.display();
        let refuse = |reason, shown| Err(FileRefusal { reason, shown });
        match self.read.compare(caller, &path) {
            ReadState::Unread => {
                return refuse("the file was not read yet", format!("{name} was not read yet: read it first"));
            }
            ReadState::Changed => {
                let shown = format!("{name} was changed since it was read: read it again");
                return refuse("the file was changed since it was read", shown);
            }
            ReadState::Unreadable => {
                return refuse("the file cannot be read", format!("{name} is not a file that can be read"));
            }
            ReadState::Absent | ReadState::Unchanged => {}
        }
        match kind {
            Kind::Edits { old, all, .. } if !call.arguments[all].as_bool().unwrap_or(false) => {
                call.arguments[old].as_str().map_or(Ok(()), |old| unique(&path, old))
            }
            _ => Ok(()),
        }
        .map(|()| None)
    }

    /// Remembers the file after a call that succeeded. Reads the file, so it runs on a thread that may block.
    ///
    /// A read counts only if the file had the same content before and after it: otherwise it is not known which content
    /// the tool returned.
    pub(crate) fn remember(&self, call: &Invocation, caller: &str, before: Option<Content>) {
        let Some((kind, path)) = self.file(call) else { return };
        let Ok(after) = content_of(&path) else { return };
        let is_known = match kind {
            Kind::Reads { .. } => before.as_ref() == Some(&after),
            // The caller knows the content that it wrote.
            Kind::Writes { .. } | Kind::Edits { .. } => true,
        };
        if is_known {
            self.read.remember(caller, after.0, after.1);
        }
    }

    /// Returns the call as one of the CLI's own tools, for rules about files.
    pub(crate) fn as_builtin(&self, call: &Invocation) -> Option<(&'static str, Value)> {
        let (kind, path) = self.file(call)?;
        Some(match kind {
            Kind::Reads { .. } => ("Read", json!({"file_path": path})),
            Kind::Writes { .. } | Kind::Edits { .. } => ("Write", json!({"file_path": path, "content": ""})),
        })
    }

    fn file(&self, call: &Invocation) -> Option<(&Kind, PathBuf)> {
        let kind = self.tools.get(&call.tool)?;
        let (Kind::Reads { path } | Kind::Writes { path } | Kind::Edits { path, .. }) = kind;
        Some((kind, self.root.join(call.arguments[path].as_str()?)))
    }
}

/// Checks that a text occurs in a file exactly once.
fn unique(path: &Path, old: &str) -> Result<(), FileRefusal> {
    let name = path.display();
    let Ok(content) = fs::read_to_string(path) else {
        return Err(FileRefusal { reason: "the file is not text", shown: format!("{name} cannot be read as text") });
    };
    // Occurrences may overlap: "aa" occurs in "aaa" twice.
    let count =
        if old.is_empty() { 0 } else { content.char_indices().filter(|(at, _)| content[*at..].starts_with(old)).count() };
    let shown = match count {
        1 => return Ok(()),
        0 => format!("the text to replace does not occur in {name}"),
        count => {
            format!("the text to replace occurs in {name} {count} times: give more of what is around it, or replace all")
        }
    };
    Err(FileRefusal { reason: "the text to replace does not occur exactly once", shown })
}
