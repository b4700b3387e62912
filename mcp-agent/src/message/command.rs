//! How a prompt proceeds: what tells a session that its prompt has been taken and done.

use crate::wire::{view, words};

view! {
    /// How a prompt that has an id proceeds. A session gives every prompt one.
    pub struct CommandLifecycle {
        /// The id of the prompt.
        command_uuid: String,
        /// How far it is.
        state: CommandState,
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
