//! The decision of the permission mode for tool uses that no rule matches.

use std::path::PathBuf;

use mcp_agent_tools::PermissionMode;

use super::subject::Subject;
use super::verdict::Behavior;

/// Returns the decision of the mode for a tool use. `directories` are the directories that tools may work in.
///
/// Plan mode asks: the CLI asks there too, also before `ExitPlanMode` and `AskUserQuestion`.
pub(crate) fn default_of(mode: &PermissionMode, subject: &Subject<'_>, directories: &[PathBuf]) -> Behavior {
    let inside =
        subject.files().is_some_and(|(_, mut files)| files.all(|file| directories.iter().any(|at| file.starts_with(at))));
    let edits = subject.files().is_some_and(|(edits, _)| edits);
    match mode {
        PermissionMode::BypassPermissions => Behavior::Allow,
        // The CLI also allows reading in the working directories.
        _ if inside && !edits => Behavior::Allow,
        PermissionMode::AcceptEdits if inside => Behavior::Allow,
        PermissionMode::DontAsk => Behavior::Deny,
        _ => Behavior::Ask,
    }
}
