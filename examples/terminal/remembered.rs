//! Tool uses that the user always allows, until the program ends.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mcp_agent::Ask;
use mcp_agent::builtin::Builtin;
use serde_json::{Value, json};

/// Tool uses that the user always allows: exactly these, not similar ones.
///
/// Deny rules still apply: they are checked before the user would be asked.
#[derive(Clone, Default)]
pub(crate) struct Remembered(Arc<Mutex<Vec<Value>>>);

impl Remembered {
    pub(crate) fn add(&self, ask: &Ask) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(identity(ask));
    }

    pub(crate) fn contains(&self, ask: &Ask) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&identity(ask))
    }
}

/// What must be the same for a tool use to be the same: the file that is written, else the whole input.
fn identity(ask: &Ask) -> Value {
    let file = match ask.builtin() {
        Builtin::Write(write) => real(&write.file_path),
        Builtin::Edit(edit) => real(&edit.file_path),
        _ => None,
    };
    let mut input = ask.input.clone();
    // The model words it differently each time, and it changes nothing.
    if let (Builtin::Bash(_), Some(fields)) = (ask.builtin(), input.as_object_mut()) {
        fields.remove("description");
    }
    match file {
        Some(file) => json!({"tool": ask.tool_name, "file": file}),
        None => json!({"tool": ask.tool_name, "input": input}),
    }
}

/// The file that a path leads to now, so that a link that is changed later is another file.
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
