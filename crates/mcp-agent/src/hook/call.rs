//! An event as a hook is told of it.

use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::permission::PermissionMode;
use crate::wire::{Typed, view};

view! {
    /// What every event tells.
    pub struct HookBase {
        /// The session.
        session_id: String,
        /// Where its transcript is.
        transcript_path: String,
        /// The working directory.
        cwd: String,
        /// The prompt.
        prompt_id: Option<String>,
        /// The permission mode.
        permission_mode: Option<PermissionMode>,
        /// The sub-agent.
        agent_id: Option<String>,
        /// What kind of sub-agent.
        agent_type: Option<String>,
        /// How hard the model thinks.
        effort: Option<serde_json::Value>,
    }
}

/// An event that a hook is told, with the event's own fields.
#[derive(Debug, Clone)]
pub struct HookCall<E> {
    input: Typed<E>,
    base: HookBase,
    tool_use_id: Option<String>,
}

impl<E: DeserializeOwned + Default> HookCall<E> {
    pub(super) fn new(input: Box<RawValue>, tool_use_id: Option<String>) -> Self {
        let base = serde_json::from_str(input.get()).unwrap_or_default();
        Self { input: Typed::new(input), base, tool_use_id }
    }
}

impl<E> HookCall<E> {
    /// The fields that every event has.
    pub fn base(&self) -> &HookBase {
        &self.base
    }

    /// The tool use. Of an event that is not about a tool it is some id or other.
    pub fn tool_use_id(&self) -> Option<&str> {
        self.tool_use_id.as_deref()
    }

    /// The whole input as it was on the wire.
    pub fn raw(&self) -> &RawValue {
        self.input.raw()
    }
}

impl<E> Deref for HookCall<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.input
    }
}
