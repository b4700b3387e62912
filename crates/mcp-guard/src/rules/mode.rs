//! The permission mode: which one is in effect, and its decision about tool uses that no rule matches.

use std::path::PathBuf;

use mcp_agent_tools::PermissionMode;

use super::subject::Subject;
use super::verdict::{Behavior, Layer};

/// The permission mode, with the source that has set it.
#[derive(Debug, Clone)]
pub(crate) struct SelectedMode {
    pub(crate) mode: PermissionMode,
    source: ModeSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModeSource {
    /// Nothing has set it.
    Default,
    /// The settings of a layer.
    Settings(Layer),
    /// The program itself, with [`Rules::mode`](super::Rules::mode).
    Program,
}

impl SelectedMode {
    /// Replaces the mode by that of settings, unless a source with a higher precedence has set it.
    pub(crate) fn set_by_settings(&mut self, layer: Layer, mode: PermissionMode) {
        self.set(ModeSource::Settings(layer), mode);
    }

    /// Replaces the mode by that of the program.
    pub(crate) fn set_by_program(&mut self, mode: PermissionMode) {
        self.set(ModeSource::Program, mode);
    }

    fn set(&mut self, source: ModeSource, mode: PermissionMode) {
        if source.precedence() >= self.source.precedence() {
            *self = Self { mode, source };
        }
    }

    /// Returns the layer that has set the mode. What the program itself has set belongs to the session.
    pub(crate) fn layer(&self) -> Option<Layer> {
        match self.source {
            ModeSource::Default => None,
            ModeSource::Settings(layer) => Some(layer),
            ModeSource::Program => Some(Layer::Session),
        }
    }
}

impl Default for SelectedMode {
    fn default() -> Self {
        Self { mode: PermissionMode::Default, source: ModeSource::Default }
    }
}

impl ModeSource {
    fn precedence(self) -> u8 {
        match self {
            Self::Default => 0,
            Self::Settings(Layer::User) => 1,
            Self::Settings(Layer::Project) => 2,
            Self::Settings(Layer::Local) => 3,
            Self::Settings(Layer::Session) => 4,
            Self::Settings(Layer::Policy) => 5,
            Self::Program => 6,
        }
    }
}

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
