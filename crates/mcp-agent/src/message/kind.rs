//! The table of message kinds, and the enum that it makes.

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

/// Makes the enum of messages from the table of kinds.
macro_rules! messages {
    ($($(#[$meta:meta])* $variant:ident($view:ty) = $kind:literal $(/ $subtype:literal)?;)+) => {
        /// A message from the CLI.
        ///
        /// Every kind that is known is typed; any other is [`Message::Other`], never an error. Whatever the kind,
        /// [`raw`](Message::raw) is the whole message and serialising gives the same JSON back.
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
            /// A kind that this version does not know.
            Other(Typed<Unknown>),
        }

        impl Message {
            /// Every kind that is typed here, as `type` and, where it decides, `subtype`.
            pub const KINDS: &[(&str, Option<&str>)] = &[$(($kind, messages!(@subtype $($subtype)?)),)+];

            pub(crate) fn new(kind: &str, subtype: Option<&str>, raw: Box<RawValue>) -> Self {
                match (kind, subtype) {
                    $(messages!(@pattern $kind $($subtype)?) => Self::$variant(Typed::new(raw)),)+
                    _ => Self::Other(Typed::new(raw)),
                }
            }

            /// The whole message as it was on the wire.
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
    /// A content block of the model's answer.
    Assistant(Assistant) = "assistant";
    /// What is said to the model: tool results, synthetic notes, and with replay the prompts themselves.
    User(User) = "user";
    /// The end of a turn.
    Result(TurnResult) = "result";
    /// A piece of an answer while it is being made.
    Stream(Partial) = "stream_event";
    /// What a turn starts with: model, tools, servers.
    Init(Init) = "system" / "init";
    /// Whether the session runs, waits for somebody, or is idle.
    SessionState(SessionStateChanged) = "system" / "session_state_changed";
    /// A change of status, such as compaction or another permission mode.
    Status(Status) = "system" / "status";
    /// The conversation was compacted here.
    CompactBoundary(CompactBoundary) = "system" / "compact_boundary";
    /// A failed request to the model is tried again.
    ApiRetry(ApiRetry) = "system" / "api_retry";
    /// A control request takes its time.
    ControlRequestProgress(ControlRequestProgress) = "system" / "control_request_progress";
    /// The model refused and another one took over.
    ModelRefusalFallback(ModelRefusalFallback) = "system" / "model_refusal_fallback";
    /// The model refused and no other one took over.
    ModelRefusalNoFallback(ModelRefusalNoFallback) = "system" / "model_refusal_no_fallback";
    /// What a local slash command printed.
    LocalCommandOutput(LocalCommandOutput) = "system" / "local_command_output";
    /// A hook of the settings started.
    HookStarted(HookStarted) = "system" / "hook_started";
    /// A hook of the settings printed something.
    HookProgress(HookProgress) = "system" / "hook_progress";
    /// A hook of the settings finished.
    HookResponse(HookResponse) = "system" / "hook_response";
    /// A plugin is being installed.
    PluginInstall(PluginInstall) = "system" / "plugin_install";
    /// A tool still runs.
    ToolProgress(ToolProgress) = "tool_progress";
    /// How signing in proceeds.
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
    /// How much the model has been thinking.
    ThinkingTokens(ThinkingTokens) = "system" / "thinking_tokens";
    /// The CLI is about to go.
    WorkerShuttingDown(WorkerShuttingDown) = "system" / "worker_shutting_down";
    /// The list of slash commands changed.
    CommandsChanged(CommandsChanged) = "system" / "commands_changed";
    /// Something for a person to see.
    Notification(Notification) = "system" / "notification";
    /// Files were stored.
    FilesPersisted(FilesPersisted) = "system" / "files_persisted";
    /// A summary of some tool uses.
    ToolUseSummary(ToolUseSummary) = "tool_use_summary";
    /// Memories were recalled.
    MemoryRecall(MemoryRecall) = "system" / "memory_recall";
    /// Where the account stands with its rate limits.
    RateLimit(RateLimit) = "rate_limit_event";
    /// An elicitation by URL was completed.
    ElicitationComplete(ElicitationComplete) = "system" / "elicitation_complete";
    /// A tool was refused without anybody being asked.
    PermissionDenied(PermissionDenied) = "system" / "permission_denied";
    /// What the user might say next.
    PromptSuggestion(PromptSuggestion) = "prompt_suggestion";
    /// The transcript could not be mirrored.
    MirrorError(MirrorError) = "system" / "mirror_error";
    /// Something to know, for instance that a hook callback failed.
    Informational(Informational) = "system" / "informational";
    /// The conversation starts anew.
    ConversationReset(ConversationReset) = "conversation_reset";
    /// The disk is full and something was lost.
    SessionWritesLost(SessionWritesLost) = "system" / "session_writes_lost";
    /// The goal that the session pursues.
    ActiveGoal(ActiveGoal) = "active_goal";
    /// How a prompt that has an id proceeds.
    CommandLifecycle(CommandLifecycle) = "command_lifecycle";
    /// The session has another title.
    SessionTitleChanged(SessionTitleChanged) = "system" / "session_title_changed";
    /// A piece of the transcript, for who keeps a copy.
    TranscriptMirror(TranscriptMirror) = "transcript_mirror";
    /// When the conversation will be compacted.
    AutocompactState(AutocompactState) = "autocompact_state";
    /// A summary of the turn.
    PostTurnSummary(PostTurnSummary) = "system" / "post_turn_summary";
    /// A summary of a task.
    TaskSummary(TaskSummary) = "system" / "task_summary";
    /// Data about the session.
    SessionMetadata(SessionMetadata) = "system" / "session_metadata";
}

impl Message {
    /// The fields that any message may have: its id, its session, the tool use whose sub-agent it belongs to.
    pub fn head(&self) -> Head {
        serde_json::from_str(self.raw().get()).unwrap_or_default()
    }

    /// The text of the model's answer, if this is a block of it.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Assistant(message) => message.message.content.text(),
            _ => None,
        }
    }

    /// The next piece of text while an answer is being made, if this is one. Needs partial messages to be asked for.
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
