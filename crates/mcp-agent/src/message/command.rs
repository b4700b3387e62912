//! Commands: how a prompt proceeds, which tells a session that it has been taken and done; and slash commands.

use crate::wire::{view, words};

view! {
    /// How a prompt that has an id proceeds. A session gives every prompt one.
    pub struct CommandLifecycle {
        /// The id of the prompt.
        command_uuid: String,
        /// How far it is.
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
        /// What it does.
        description: String,
        /// What to write after it.
        #[serde(rename = "argumentHint")]
        argument_hint: String,
        /// Other names.
        aliases: Option<Vec<String>>,
        /// Whether it comes with the CLI.
        builtin: Option<bool>,
    }
}

words! {
    /// How far a prompt is.
    pub enum CommandState {
        /// It waits for the turn before.
        Queued = "queued",
        /// Its turn began.
        Started = "started",
        /// Its turn ended.
        Completed = "completed",
        /// It was taken back, or its turn was interrupted.
        Cancelled = "cancelled",
    }
}

impl CommandState {
    /// Whether nothing more will come of the prompt.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }
}
