//! Tool uses that the user always allows.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::AskFields;
use crate::builtin::Builtin;

/// Tool uses that the user always allows: exactly these, not similar ones.
///
/// For a dialog with the answer "always". Kept in memory; clones share their content. Two uses are the same if the tool and the
/// whole input are the same; of `Bash`, if everything but the `description` is the same, which the model words differently each
/// time; of `Write` and `Edit`, if they change the same file. Deny rules still apply if they are checked
/// before the user would be asked, as [`Agent::rules_or`](crate::Agent::rules_or) does.
///
/// ```
/// use mcp_agent::{Ask, RememberedUses};
///
/// let ask = |command: &str| -> Ask {
///     serde_json::from_value(serde_json::json!({"tool_name": "Bash", "input": {"command": command}})).unwrap()
/// };
/// let always = RememberedUses::default();
/// always.add(&ask("make test"));
/// assert!(always.contains(&ask("make test")));
/// assert!(!always.contains(&ask("make test && rm -rf /")));
/// ```
#[derive(Debug, Clone, Default)]
pub struct RememberedUses(Arc<Mutex<Vec<Value>>>);

impl RememberedUses {
    /// Adds a tool use.
    pub fn add(&self, ask: &AskFields) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(identity(ask));
    }

    /// Returns whether the same tool use was added.
    pub fn contains(&self, ask: &AskFields) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&identity(ask))
    }
}

/// What must be the same for a tool use to be the same: the file that is written, else the whole input.
fn identity(ask: &AskFields) -> Value {
    let file = match ask.builtin() {
        Builtin::Write(write) => real(&write.file_path),
        Builtin::Edit(edit) => real(&edit.file_path),
        _ => None,
    };
    let mut input = ask.input.clone();
    // The description changes nothing.
    if let (Builtin::Bash(_), Some(fields)) = (ask.builtin(), input.as_object_mut()) {
        fields.remove("description");
    }
    match file {
        Some(file) => json!({"tool": ask.tool_name, "file": file}),
        None => json!({"tool": ask.tool_name, "input": input}),
    }
}

/// Returns the file that a path leads to now, so that a link that is changed later is another file.
fn real(path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    let new_file = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    // A link to nothing has no such file: writing through it would make another one.
    let is_new = path.symlink_metadata().is_err();
    path.canonicalize().ok().or_else(|| if is_new { new_file() } else { None })
}
