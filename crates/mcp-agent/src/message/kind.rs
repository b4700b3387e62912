//! The table of message types, and the enum generated from it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::{
    ActiveGoal, ApiRetry, Assistant, AuthStatus, AutocompactState, BackgroundTasksChanged, CommandLifecycle,
    CommandsChanged, CompactBoundary, ControlRequestProgress, ConversationReset, ElicitationComplete, FilesPersisted, Head,
    HookProgress, HookResponse, HookStarted, Informational, Init, LocalCommandOutput, MemoryRecall, MirrorError,
    ModelRefusalFallback, ModelRefusalNoFallback, Notification, Partial, PermissionDenied, PluginInstall, PostTurnSummary,
    PromptSuggestion, RateLimit, SessionMetadata, SessionStateChanged, SessionTitleChanged, SessionWritesLost, Status,
    TaskNotification, TaskProgress, TaskStarted, TaskSummary, TaskUpdated, ThinkingTokens, ToolProgress, ToolUseSummary,
    TranscriptMirror, TurnResult, Unknown, User, WorkerShuttingDown,
};
use crate::wire::Typed;

/// Generates the enum of messages from the table.
macro_rules! messages {
    ($($(#[$meta:meta])* $variant:ident($view:ty) = $kind:literal $(/ $subtype:literal)?;)+) => {
        /// A message from the CLI.
        ///
        /// Known types have typed fields; any other type is [`Message::Other`] and never an error.
        /// [`raw`](Message::raw) returns the whole message, and serializing returns the same JSON.
        ///
        /// ```
        /// # use mcp_agent::Message;
        /// let line = r#"{"type":"system","subtype":"status","status":"compacting","new_field":1}"#;
        /// let message: Message = serde_json::from_str(line)?;
        /// match &message {
        ///     Message::Status(status) => assert_eq!(status.status.as_deref(), Some("compacting")),
        ///     other => panic!("{other:?}"),
        /// }
        /// assert_eq!(serde_json::to_string(&message)?, line);
        /// # Ok::<(), serde_json::Error>(())
        /// ```
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum Message {
            $($(#[$meta])* $variant(Typed<$view>),)+
            /// A message of an unknown type.
            Other(Typed<Unknown>),
        }

        impl Message {
            /// The `type` and, if it matters, the `subtype` of every known message.
            pub const KINDS: &[(&str, Option<&str>)] = &[$(($kind, messages!(@subtype $($subtype)?)),)+];

            pub(crate) fn new(kind: &str, subtype: Option<&str>, raw: Box<RawValue>) -> Self {
                match (kind, subtype) {
                    $(messages!(@pattern $kind $($subtype)?) => Self::$variant(Typed::new(raw)),)+
                    _ => Self::Other(Typed::new(raw)),
                }
            }

            /// Returns the JSON text of the whole message, as received.
            pub fn raw(&self) -> &RawValue {
                match self {
                    $(Self::$variant(message) => message.raw(),)+
                    Self::Other(message) => message.raw(),
                }
            }
        }
    };
    (@subtype) => { None };
    (@subtype $subtype:literal) => { Some($subtype) };
    (@pattern $kind:literal) => { ($kind, _) };
    (@pattern $kind:literal $subtype:literal) => { ($kind, Some($subtype)) };
}

messages! {
    /// A content block of an answer of the model.
    Assistant(Assistant) = "assistant";
    /// A message to the model: tool results, synthetic messages and, with replay, the prompts themselves.
    User(User) = "user";
    /// The end of a turn.
    Result(TurnResult) = "result";
    /// A part of an answer while the model writes it.
    Stream(Partial) = "stream_event";
    /// The start of a turn: model, tools, servers.
    Init(Init) = "system" / "init";
    /// Whether the session is running, waiting for a decision, or idle.
    SessionState(SessionStateChanged) = "system" / "session_state_changed";
    /// A change of status, such as compaction or a new permission mode.
    Status(Status) = "system" / "status";
    /// The point where the conversation was compacted.
    CompactBoundary(CompactBoundary) = "system" / "compact_boundary";
    /// A failed API request is retried.
    ApiRetry(ApiRetry) = "system" / "api_retry";
    /// A slow control request reports progress.
    ControlRequestProgress(ControlRequestProgress) = "system" / "control_request_progress";
    /// The model refused to answer and a fallback model took over.
    ModelRefusalFallback(ModelRefusalFallback) = "system" / "model_refusal_fallback";
    /// The model refused to answer and there was no fallback model.
    ModelRefusalNoFallback(ModelRefusalNoFallback) = "system" / "model_refusal_no_fallback";
    /// The output of a local slash command.
    LocalCommandOutput(LocalCommandOutput) = "system" / "local_command_output";
    /// A hook of the settings started.
    HookStarted(HookStarted) = "system" / "hook_started";
    /// A hook of the settings produced output.
    HookProgress(HookProgress) = "system" / "hook_progress";
    /// A hook of the settings finished.
    HookResponse(HookResponse) = "system" / "hook_response";
    /// A plugin is being installed.
    PluginInstall(PluginInstall) = "system" / "plugin_install";
    /// A tool is still running.
    ToolProgress(ToolProgress) = "tool_progress";
    /// The progress of authentication.
    AuthStatus(AuthStatus) = "auth_status";
    /// A background task ended.
    TaskNotification(TaskNotification) = "system" / "task_notification";
    /// A background task started.
    TaskStarted(TaskStarted) = "system" / "task_started";
    /// A background task changed.
    TaskUpdated(TaskUpdated) = "system" / "task_updated";
    /// A background task made progress.
    TaskProgress(TaskProgress) = "system" / "task_progress";
    /// The list of background tasks changed.
    BackgroundTasksChanged(BackgroundTasksChanged) = "system" / "background_tasks_changed";
    /// The number of thinking tokens so far.
    ThinkingTokens(ThinkingTokens) = "system" / "thinking_tokens";
    /// The CLI is about to exit.
    WorkerShuttingDown(WorkerShuttingDown) = "system" / "worker_shutting_down";
    /// The list of slash commands changed.
    CommandsChanged(CommandsChanged) = "system" / "commands_changed";
    /// A notification to show to the user.
    Notification(Notification) = "system" / "notification";
    /// Files were stored with the API of the model.
    FilesPersisted(FilesPersisted) = "system" / "files_persisted";
    /// A summary of some tool uses.
    ToolUseSummary(ToolUseSummary) = "tool_use_summary";
    /// Memories were recalled.
    MemoryRecall(MemoryRecall) = "system" / "memory_recall";
    /// The state of the rate limits of the account.
    RateLimit(RateLimit) = "rate_limit_event";
    /// An elicitation by URL was completed.
    ElicitationComplete(ElicitationComplete) = "system" / "elicitation_complete";
    /// A tool use was denied without asking for permission.
    PermissionDenied(PermissionDenied) = "system" / "permission_denied";
    /// A suggestion for the next prompt.
    PromptSuggestion(PromptSuggestion) = "prompt_suggestion";
    /// New entries of the transcript could not be sent to the program that keeps a copy.
    MirrorError(MirrorError) = "system" / "mirror_error";
    /// General information, for instance that a hook callback failed.
    Informational(Informational) = "system" / "informational";
    /// The conversation was reset.
    ConversationReset(ConversationReset) = "conversation_reset";
    /// The disk is full and data was lost.
    SessionWritesLost(SessionWritesLost) = "system" / "session_writes_lost";
    /// The goal of the session.
    ActiveGoal(ActiveGoal) = "active_goal";
    /// The progress of a prompt that has an id.
    CommandLifecycle(CommandLifecycle) = "command_lifecycle";
    /// The title of the session changed.
    SessionTitleChanged(SessionTitleChanged) = "system" / "session_title_changed";
    /// New entries of the transcript, for programs that keep a copy.
    TranscriptMirror(TranscriptMirror) = "transcript_mirror";
    /// When the conversation will be compacted automatically.
    AutocompactState(AutocompactState) = "autocompact_state";
    /// A summary of the turn.
    PostTurnSummary(PostTurnSummary) = "system" / "post_turn_summary";
    /// A summary of a task.
    TaskSummary(TaskSummary) = "system" / "task_summary";
    /// Data about the session.
    SessionMetadata(SessionMetadata) = "system" / "session_metadata";
}

impl Message {
    /// Returns the fields that any message may have: its id, its session, and the tool use of its sub-agent.
    pub fn head(&self) -> Head {
        serde_json::from_str(self.raw().get()).unwrap_or_default()
    }

    /// Returns the text, if this is a text block of an answer.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Assistant(message) => message.message.content.text(),
            _ => None,
        }
    }

    /// Returns the next part of the text, if this is a partial message with text. Requires
    /// [`partial_messages`](crate::Agent::partial_messages).
    pub fn text_delta(&self) -> Option<&str> {
        match self {
            Self::Stream(partial) => partial.text_delta(),
            _ => None,
        }
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let head: Head = serde_json::from_str(raw.get()).map_err(serde::de::Error::custom)?;
        Ok(Self::new(&head.kind, head.subtype.as_deref(), raw))
    }
}
