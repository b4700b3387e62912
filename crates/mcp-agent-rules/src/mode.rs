//! What holds where no rule says anything.

use std::path::Path;

use mcp_agent::PermissionMode;

use crate::subject::Subject;
use crate::verdict::Behavior;

/// What the mode says of a tool use, with the directories that tools may work in.
pub(crate) fn default_of(mode: &PermissionMode, subject: &Subject, directories: &[&Path]) -> Behavior {
    let inside =
        subject.files().is_some_and(|(_, mut files)| files.all(|file| directories.iter().any(|at| file.starts_with(at))));
    let edits = subject.files().is_some_and(|(edits, _)| edits);
    match mode {
        PermissionMode::BypassPermissions => Behavior::Allow,
        // Reading where one works is no question.
        _ if inside && !edits => Behavior::Allow,
        PermissionMode::AcceptEdits if inside => Behavior::Allow,
        PermissionMode::Plan | PermissionMode::DontAsk => Behavior::Deny,
        _ => Behavior::Ask,
    }
}
