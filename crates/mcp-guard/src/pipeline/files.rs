//! Tools for files, and what must hold before they write.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::invocation::{Invocation, Refusal};
use super::seen::{Acquaintance, Seen};

/// Which tools of a server are for files.
///
/// Before such a tool writes to a file that is there, the file must have been read in this session and not been written to by
/// anybody else since. An edit must find its text exactly once, unless it is to replace it wherever it stands. Arguments
/// that do not have the expected form are left to validation.
#[derive(Debug, Clone)]
pub struct Files {
    root: PathBuf,
    tools: HashMap<String, Kind>,
    seen: Arc<Seen>,
}

#[derive(Debug, Clone)]
enum Kind {
    Reads { path: String },
    Writes { path: String },
    Edits { path: String, old: String, all: String },
}

impl Files {
    /// Paths of arguments are from this directory, unless they are absolute.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), tools: HashMap::new(), seen: Arc::default() }
    }

    /// The tool reads the file in this argument.
    #[must_use]
    pub fn reads(self, tool: impl Into<String>, path: impl Into<String>) -> Self {
        self.with(tool, Kind::Reads { path: path.into() })
    }

    /// The tool writes the file in this argument, whole.
    #[must_use]
    pub fn writes(self, tool: impl Into<String>, path: impl Into<String>) -> Self {
        self.with(tool, Kind::Writes { path: path.into() })
    }

    /// The tool replaces a text in a file: by the arguments that hold the path, the text that stands there, and whether to
    /// replace it wherever it stands.
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

    /// Whether the call may go on.
    pub(crate) fn check(&self, call: &Invocation) -> Result<(), Refusal> {
        let Some((kind, path)) = self.file(call) else { return Ok(()) };
        if matches!(kind, Kind::Reads { .. }) {
            return Ok(());
        }
        let shown = path.display();
        match self.seen.acquaintance(&path) {
            Acquaintance::Unread => return Err(Refusal::new(format!("{shown} was not read yet: read it first"))),
            Acquaintance::Changed => {
                return Err(Refusal::new(format!("{shown} was changed since it was read: read it again")));
            }
            Acquaintance::New | Acquaintance::Known => {}
        }
        match kind {
            Kind::Edits { old, all, .. } if !call.arguments[all].as_bool().unwrap_or(false) => {
                call.arguments[old].as_str().map_or(Ok(()), |old| unique(&path, old))
            }
            _ => Ok(()),
        }
    }

    /// The call was made.
    pub(crate) fn done(&self, call: &Invocation, failed: bool) {
        // Also what this session wrote itself is known to it.
        if let (Some((_, path)), false) = (self.file(call), failed) {
            self.seen.note(&path);
        }
    }

    /// The call as one of the CLI's own tools, for rules about files.
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

/// That a text stands in a file, and once.
fn unique(path: &Path, old: &str) -> Result<(), Refusal> {
    let Ok(content) = fs::read_to_string(path) else {
        return Err(Refusal::new(format!("{} cannot be read as text", path.display())));
    };
    // A text may overlap with itself: "aa" stands in "aaa" twice.
    let count =
        if old.is_empty() { 0 } else { content.char_indices().filter(|(at, _)| content[*at..].starts_with(old)).count() };
    match count {
        1 => Ok(()),
        0 => Err(Refusal::new(format!("the text to replace does not stand in {}", path.display()))),
        count => Err(Refusal::new(format!(
            "the text to replace stands in {} {count} times: give more of what is around it, or replace all",
            path.display()
        ))),
    }
}
