//! The permission mode: which one is in effect, and its decision about tool uses that no rule matches.

use std::path::PathBuf;

use mcp_agent_tools::PermissionMode;

use super::subject::Subject;
use super::verdict::{Behavior, Layer};

/// The modes that settings and the program have set, from which the one in effect is selected.
#[derive(Debug, Clone, Default)]
pub(crate) struct Modes(Vec<(ModeSource, Choice)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ModeSource {
    /// The settings of a layer, with their precedence.
    Settings(u8, Layer),
    /// The program itself, with [`Rules::mode`](super::Rules::mode). It has the highest precedence.
    Program,
}

#[derive(Debug, Clone)]
enum Choice {
    Mode(PermissionMode),
    /// A mode that is not taken from these settings.
    Refused(PermissionMode),
}

impl Modes {
    /// Adds the mode of settings. If a layer sets several, the last one counts.
    ///
    /// A repository may only choose a mode that allows nothing more than the default one. If it chooses another one, the mode of a
    /// lower layer counts only if it is the same, or allows nothing more than the default one.
    pub(crate) fn add_settings(&mut self, layer: Layer, mode: PermissionMode) {
        let from_repository = matches!(layer, Layer::Project | Layer::Local);
        let choice = if from_repository && allows_more(&mode) { Choice::Refused(mode) } else { Choice::Mode(mode) };
        self.add(ModeSource::Settings(precedence(layer), layer), choice);
    }

    /// Sets the mode of the program.
    pub(crate) fn set(&mut self, mode: PermissionMode) {
        self.add(ModeSource::Program, Choice::Mode(mode));
    }

    fn add(&mut self, source: ModeSource, choice: Choice) {
        // After those of the same source, which it replaces.
        let at = self.0.partition_point(|(other, _)| *other <= source);
        self.0.insert(at, (source, choice));
    }

    /// Returns the mode in effect and the layer that has set it. What the program has set belongs to the session.
    pub(crate) fn selected(&self) -> (PermissionMode, Option<Layer>) {
        let mut refused: Vec<(Layer, &PermissionMode)> = Vec::new();
        for (source, choice) in self.0.iter().rev() {
            let layer = match source {
                ModeSource::Settings(_, layer) => *layer,
                ModeSource::Program => Layer::Session,
            };
            match choice {
                Choice::Refused(mode) => refused.push((layer, mode)),
                Choice::Mode(mode) if !allows_more(mode) || refused.iter().all(|(_, other)| *other == mode) => {
                    return (mode.clone(), Some(layer));
                }
                Choice::Mode(_) => break,
            }
        }
        (PermissionMode::Default, refused.first().map(|(layer, _)| *layer))
    }
}

/// The precedence of the modes of settings, as in the CLI.
fn precedence(layer: Layer) -> u8 {
    match layer {
        Layer::User => 0,
        Layer::Project => 1,
        Layer::Local => 2,
        Layer::Session => 3,
        Layer::Policy => 4,
    }
}

/// Returns whether a mode may allow something that the default mode does not allow.
fn allows_more(mode: &PermissionMode) -> bool {
    !matches!(mode, PermissionMode::Default | PermissionMode::Plan | PermissionMode::DontAsk)
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
