//! The events, each with its fields.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::output::{
    ContextOutput, DisplayOutput, ElicitationOutput, NoOutput, PermissionDeniedOutput, PermissionRequestOutput,
    PostToolUseOutput, PreModelSwitchOutput, PreToolUseOutput, PromptOutput, SessionStartOutput, WatchOutput,
    WorktreeOutput,
};
use crate::permission::PermissionUpdate;
use crate::wire::view;

/// An event that the CLI tells hooks about. Implemented by the events in this module, named by who registers a hook.
pub trait HookEvent: DeserializeOwned + Default + Send + Sync + 'static {
    /// The event's name on the wire.
    const NAME: &'static str;

    /// What a hook may say that only this event knows.
    type Output: Serialize + Send + Sync;
}

/// Any event by its name, with its fields as plain JSON.
#[derive(Debug, Clone, Default, PartialEq, serde::Deserialize)]
#[serde(transparent)]
pub struct AnyEvent(pub Map<String, Value>);

impl HookEvent for AnyEvent {
    const NAME: &'static str = "";
    type Output = Map<String, Value>;
}

/// Declares events with what a hook may say to them.
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

        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name),)+];
    };
}

events! {
    /// Before a tool is used.
    PreToolUse -> PreToolUseOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// After a tool was used.
    PostToolUse -> PostToolUseOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// What it gave back.
        tool_response: Value,
        /// The tool use.
        tool_use_id: String,
        /// How long it took.
        duration_ms: Option<u64>,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// After a tool failed.
    PostToolUseFailure -> ContextOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// Why.
        error: String,
        /// Whether it was interrupted.
        is_interrupt: Option<bool>,
        /// How long it took.
        duration_ms: Option<u64>,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// After all tools of one answer were used.
    PostToolBatch -> ContextOutput {
        /// The tool uses.
        tool_calls: Vec<BatchedToolCall>,
    }
    /// A notification for the user.
    Notification -> ContextOutput {
        /// Its text.
        message: String,
        /// Its title.
        title: Option<String>,
        /// Its kind.
        notification_type: String,
    }
    /// A prompt came.
    UserPromptSubmit -> PromptOutput {
        /// Its text.
        prompt: String,
        /// Where it comes from.
        source: Option<String>,
        /// The session's title.
        session_title: Option<String>,
    }
    /// A slash command becomes a prompt.
    UserPromptExpansion -> PromptOutput {
        /// What kind of expansion.
        expansion_type: String,
        /// The command.
        command_name: String,
        /// What was written after it.
        command_args: String,
        /// Where the command comes from.
        command_source: Option<String>,
        /// The prompt.
        prompt: String,
    }
    /// A session starts. The CLI tells callbacks only after `/clear` and compaction, not at its own start.
    SessionStart -> SessionStartOutput {
        /// Why.
        source: String,
        /// The model.
        model: Option<String>,
        /// The session's title.
        session_title: Option<String>,
        /// How long ago the last answer was.
        seconds_since_last_response: Option<f64>,
        /// How full the context is.
        context_tokens: Option<u64>,
        /// Whether the prompt cache is cold.
        prompt_cache_likely_expired: Option<bool>,
        /// What it costs to fill it.
        estimated_cache_write_usd: Option<f64>,
    }
    /// A session ends. The CLI tells callbacks only at `/clear`.
    SessionEnd -> NoOutput {
        /// Why.
        reason: String,
    }
    /// The model is done.
    Stop -> ContextOutput {
        /// Whether a hook already kept it going.
        stop_hook_active: bool,
        /// What it said last.
        last_assistant_message: Option<String>,
        /// Tasks that go on.
        background_tasks: Option<Vec<Value>>,
        /// Timers of the session.
        session_crons: Option<Vec<Value>>,
    }
    /// The turn ended with an error.
    StopFailure -> NoOutput {
        /// What kind.
        error: String,
        /// In words.
        error_details: Option<String>,
        /// What the model said last.
        last_assistant_message: Option<String>,
    }
    /// A sub-agent starts.
    SubagentStart -> ContextOutput {
        /// Which.
        agent_id: String,
        /// What kind.
        agent_type: String,
    }
    /// A sub-agent is done.
    SubagentStop -> ContextOutput {
        /// Whether a hook already kept it going.
        stop_hook_active: bool,
        /// Which.
        agent_id: String,
        /// Where its transcript is.
        agent_transcript_path: String,
        /// What kind.
        agent_type: String,
        /// What it said last.
        last_assistant_message: Option<String>,
        /// Tasks that go on.
        background_tasks: Option<Vec<Value>>,
        /// Timers of the session.
        session_crons: Option<Vec<Value>>,
    }
    /// The conversation is to be compacted.
    PreCompact -> NoOutput {
        /// `manual` or `auto`.
        trigger: String,
        /// What to keep.
        custom_instructions: Option<String>,
    }
    /// The conversation was compacted.
    PostCompact -> NoOutput {
        /// `manual` or `auto`.
        trigger: String,
        /// What is left of it.
        compact_summary: String,
    }
    /// The model is to be changed.
    PreModelSwitch -> PreModelSwitchOutput {
        /// From.
        from_model: String,
        /// To.
        to_model: String,
        /// As it was asked for.
        requested_model: Option<String>,
        /// By whom.
        source: String,
        /// How full the context is.
        context_tokens: u64,
        /// Whether the prompt cache is warm.
        prompt_cache_warm: bool,
        /// How long the cache holds.
        cache_ttl: String,
        /// What it costs to fill it again.
        estimated_cache_write_usd: f64,
        /// Where the price comes from.
        pricing: String,
    }
    /// The model was changed.
    PostModelSwitch -> ContextOutput {
        /// From.
        from_model: String,
        /// To.
        to_model: String,
        /// As it was asked for.
        requested_model: Option<String>,
        /// By whom.
        source: String,
        /// How full the context is.
        context_tokens: u64,
        /// Whether the prompt cache is warm.
        prompt_cache_warm: bool,
        /// How long the cache holds.
        cache_ttl: String,
        /// What it costs to fill it again.
        estimated_cache_write_usd: f64,
        /// Where the price comes from.
        pricing: String,
    }
    /// Somebody is to be asked about a tool. The permission callback is asked at the same time; the first answer counts.
    PermissionRequest -> PermissionRequestOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// What could be remembered.
        permission_suggestions: Option<Vec<PermissionUpdate>>,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// A tool was refused.
    PermissionDenied -> PermissionDeniedOutput {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// Why.
        reason: String,
        /// The server whose tool it is.
        mcp_server: Option<HookServer>,
    }
    /// The project is set up.
    Setup -> ContextOutput {
        /// `init` or `maintenance`.
        trigger: String,
    }
    /// A teammate has nothing to do.
    TeammateIdle -> NoOutput {
        /// Who.
        teammate_name: String,
        /// In which team.
        team_name: String,
    }
    /// A task was made.
    TaskCreated -> NoOutput {
        /// Which.
        task_id: String,
        /// In a line.
        task_subject: String,
        /// In more words.
        task_description: Option<String>,
        /// For whom.
        teammate_name: Option<String>,
        /// In which team.
        team_name: Option<String>,
    }
    /// A task is done.
    TaskCompleted -> NoOutput {
        /// Which.
        task_id: String,
        /// In a line.
        task_subject: String,
        /// In more words.
        task_description: Option<String>,
        /// By whom.
        teammate_name: Option<String>,
        /// In which team.
        team_name: Option<String>,
    }
    /// A server asks the user something.
    Elicitation -> ElicitationOutput {
        /// The server.
        mcp_server_name: String,
        /// What it asks.
        message: String,
        /// `form` or `url`.
        mode: Option<String>,
        /// Where to answer.
        url: Option<String>,
        /// Which elicitation.
        elicitation_id: Option<String>,
        /// What an answer looks like.
        requested_schema: Option<Value>,
    }
    /// The user answered a server.
    ElicitationResult -> ElicitationOutput {
        /// The server.
        mcp_server_name: String,
        /// Which elicitation.
        elicitation_id: Option<String>,
        /// `form` or `url`.
        mode: Option<String>,
        /// `accept`, `decline` or `cancel`.
        action: String,
        /// The answer.
        content: Option<Value>,
    }
    /// The settings changed.
    ConfigChange -> NoOutput {
        /// Which.
        source: String,
        /// Their file.
        file_path: Option<String>,
    }
    /// A worktree is to be made; a hook makes it and says where.
    WorktreeCreate -> WorktreeOutput {
        /// Its name.
        name: String,
    }
    /// A worktree is to be removed.
    WorktreeRemove -> NoOutput {
        /// Where it is.
        worktree_path: String,
    }
    /// Instructions were read.
    InstructionsLoaded -> NoOutput {
        /// From which file.
        file_path: String,
        /// What kind.
        memory_type: String,
        /// Why.
        load_reason: String,
        /// For which files.
        globs: Option<Vec<String>>,
        /// Because of which file.
        trigger_file_path: Option<String>,
        /// Named in which file.
        parent_file_path: Option<String>,
    }
    /// The working directory changed.
    CwdChanged -> WatchOutput {
        /// From.
        old_cwd: String,
        /// To.
        new_cwd: String,
    }
    /// A watched file changed.
    FileChanged -> WatchOutput {
        /// Which.
        file_path: String,
        /// How.
        event: String,
    }
    /// A directory was allowed.
    DirectoryAdded -> NoOutput {
        /// Which.
        directory: String,
        /// By whom.
        source: String,
    }
    /// Text is shown.
    MessageDisplay -> DisplayOutput {
        /// The turn.
        turn_id: String,
        /// The message.
        message_id: String,
        /// Which piece of it.
        index: u64,
        /// Whether it is the last.
        #[serde(rename = "final")]
        is_final: bool,
        /// The text.
        delta: String,
    }
}

view! {
    /// The server whose tool an event is about.
    pub struct HookServer {
        /// Its name.
        name: String,
        /// Who configured it.
        source: String,
    }

    /// One of the tool uses of an answer.
    pub struct BatchedToolCall {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The tool use.
        tool_use_id: String,
        /// What it gave back.
        tool_response: Option<Value>,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_33_events_with_names_of_their_own() {
        let names: std::collections::BTreeSet<_> = NAMES.iter().collect();
        assert_eq!((NAMES.len(), names.len()), (33, 33));
    }
}
