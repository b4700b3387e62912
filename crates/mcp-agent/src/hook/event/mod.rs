//! The events of hooks, each with its fields.

mod conversation;
mod environment;
mod tool;

pub use conversation::{
    EXIT_REASONS, MessageDisplay, Notification, PostCompact, PostModelSwitch, PreCompact, PreModelSwitch, SessionEnd,
    SessionStart, Stop, StopFailure, UserPromptExpansion, UserPromptSubmit,
};
pub use environment::{
    ConfigChange, CwdChanged, DirectoryAdded, FileChanged, InstructionsLoaded, Setup, SubagentStart, SubagentStop,
    TaskCompleted, TaskCreated, TeammateIdle, WorktreeCreate, WorktreeRemove,
};
pub use tool::{
    BatchedToolCall, Elicitation, ElicitationResult, HookServer, PermissionDenied, PermissionRequest, PostToolBatch,
    PostToolUse, PostToolUseFailure, PreToolUse,
};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// An event that hooks can be registered for. The types in this module implement it.
pub trait HookEvent: DeserializeOwned + Default + Send + Sync + 'static {
    /// The name of the event in the protocol.
    const NAME: &'static str;

    /// The output that is specific to this event.
    type Output: Serialize + Send + Sync;
}

/// Any event, given by name, with its fields as JSON.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(transparent)]
pub struct AnyEvent(pub Map<String, Value>);

impl HookEvent for AnyEvent {
    const NAME: &'static str = "";
    type Output = Map<String, Value>;
}

/// Returns the names of all events that this version knows.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    [tool::NAMES, conversation::NAMES, environment::NAMES].into_iter().flatten().copied()
}

/// Declares events and their specific outputs.
macro_rules! events {
    ($($(#[$meta:meta])* $name:ident -> $output:ty { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })+) => {
        view! {$(
            $(#[$meta])*
            pub struct $name { $($(#[$field_meta])* $field: $type,)* }
        )+}

        $(impl HookEvent for $name {
            const NAME: &'static str = stringify!($name);
            type Output = $output;
        })+

        pub(super) const NAMES: &[&str] = &[$(stringify!($name),)+];
    };
}

use events;

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_33_events_with_distinct_names() {
        let different: std::collections::BTreeSet<_> = super::event_names().collect();
        assert_eq!((super::event_names().count(), different.len()), (33, 33));
    }
}
