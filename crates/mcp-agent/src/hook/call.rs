//! The input of a hook.

use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::permission::PermissionMode;
use crate::wire::{Typed, view};

view! {
    /// The fields of every event.
    pub struct HookBase {
        /// The id of the session.
        session_id: String,
        /// The path of the transcript.
        transcript_path: String,
        /// The working directory.
        cwd: String,
        /// The id of the prompt that started the turn.
        prompt_id: Option<String>,
        /// The permission mode.
        permission_mode: Option<PermissionMode>,
        /// The id of the sub-agent.
        agent_id: Option<String>,
        /// The type of the sub-agent.
        agent_type: Option<String>,
        /// The effort level of the model.
        effort: Option<HookEffort>,
    }

    /// The effort level of the model.
    pub struct HookEffort {
        /// The name of the effort level.
        level: String,
    }

    /// A background task that is still running.
    pub struct TaskSummary {
        /// The id of the task.
        id: String,
        /// The type of the task.
        #[serde(rename = "type")]
        kind: String,
        /// The status of the task.
        status: String,
        /// The description of the task.
        description: String,
        /// The command that the task runs.
        command: Option<String>,
        /// The type of the sub-agent, if the task is one.
        agent_type: Option<String>,
        /// The MCP server whose tool the task runs.
        server: Option<String>,
        /// The tool that the task runs.
        tool: Option<String>,
        /// The name of the task.
        name: Option<String>,
    }

    /// A scheduled job of the session.
    pub struct SessionCron {
        /// The id of the scheduled job.
        id: String,
        /// When the job runs, as a cron expression.
        schedule: String,
        /// Whether the job runs more than once.
        recurring: bool,
        /// The prompt that the job sends.
        prompt: String,
    }
}

/// The input of a hook: an event with its fields.
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
    /// Returns the fields that every event has.
    pub fn base(&self) -> &HookBase {
        &self.base
    }

    /// Returns the id of the tool use. For an event that is not about a tool it has no meaning.
    pub fn tool_use_id(&self) -> Option<&str> {
        self.tool_use_id.as_deref()
    }

    /// Returns the JSON text of the whole input, as received.
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
