//! Messages about the progress of prompts, and about slash commands.

use crate::wire::{view, words};

view! {
    /// The progress of a prompt that has an id. A session gives every prompt an id.
    pub struct CommandLifecycle {
        /// The id of the prompt.
        command_uuid: String,
        /// The state of the prompt.
        state: CommandState,
    }

    /// The list of slash commands changed.
    pub struct CommandsChanged {
        /// The new list.
        commands: Vec<SlashCommand>,
    }

    /// A slash command.
    pub struct SlashCommand {
        /// Its name, without the slash.
        name: String,
        /// Its description.
        description: String,
        /// A hint for its arguments.
        #[serde(rename = "argumentHint")]
        argument_hint: String,
        /// Other names.
        aliases: Option<Vec<String>>,
        /// Whether it is built into the CLI.
        builtin: Option<bool>,
    }
}

words! {
    /// The state of a prompt.
    pub enum CommandState {
        /// It is queued.
        Queued = "queued",
        /// Its turn has started.
        Started = "started",
        /// Its turn has ended.
        Completed = "completed",
        /// It was cancelled, or its turn was interrupted.
        Cancelled = "cancelled",
    }
}

impl CommandState {
    /// Returns whether this is the last state of the prompt.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }
}
