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
        /// The new list of slash commands.
        commands: Vec<SlashCommand>,
    }

    /// A slash command.
    pub struct SlashCommand {
        /// The name of the command, without the slash.
        name: String,
        /// The description of the command.
        description: String,
        /// A hint for the arguments of the command.
        #[serde(rename = "argumentHint")]
        argument_hint: String,
        /// Other names of the command.
        aliases: Option<Vec<String>>,
        /// Whether the command is built into the CLI.
        builtin: Option<bool>,
    }
}

words! {
    /// The state of a prompt.
    pub enum CommandState {
        /// The prompt is queued.
        Queued = "queued",
        /// The turn of the prompt has started.
        Started = "started",
        /// The turn of the prompt has ended.
        Completed = "completed",
        /// The prompt was cancelled, or its turn was interrupted.
        Cancelled = "cancelled",
    }
}

impl CommandState {
    /// Returns whether this is the last state of the prompt.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }
}
