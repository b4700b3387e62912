//! Messages of the CLI, typed by their `type` and `subtype`.

mod api;
mod block;
mod command;
mod content;
mod conversation;
mod detail;
mod kind;
mod notice;
mod result;
mod storage;
mod stream;
mod system;
mod task;
#[cfg(test)]
mod tests;
mod usage;

pub use api::{ApiRetry, AuthStatus, ModelRefusalFallback, ModelRefusalNoFallback, RateLimit, RateLimitInfo};
pub use block::{Block, Image, RedactedThinking, TextBlock, ThinkingBlock, ToolResult, ToolUse};
pub use command::{CommandLifecycle, CommandState, CommandsChanged, SlashCommand};
pub use content::Content;
pub use conversation::{Assistant, AssistantError, ModelMessage, User, UserContent};
pub use detail::{
    ContextAgentShare, ContextFileShare, ContextOverLimit, ContextShare, ContextSkillShare, ContextToolShare,
    InvalidConfigFile, MessageContextUsage, MirrorKey, NoResponse, PluginError, PluginLock, PreservedMessages,
    PreservedSegment, PromptOrigin, ResourceLink, SnapshotExtraUsage, SnapshotLimit, SnapshotLimits, SnapshotSession,
    SubagentRetry, UsageSnapshot,
};
pub use kind::Message;
pub use notice::{
    ActiveGoal, AutocompactState, ConversationReset, ElicitationComplete, Goal, HookProgress, HookResponse, HookStarted,
    Informational, LocalCommandOutput, Notification, PermissionDenied, PluginInstall, PromptSuggestion,
};
pub use result::{DeferredToolUse, Denial, Outcome, TerminalReason, TurnResult};
pub use storage::{
    FailedFile, FilesPersisted, Memory, MemoryRecall, MirrorError, PersistedFile, SessionWritesLost, TranscriptMirror,
};
pub use stream::{Delta, Partial, StreamError, StreamEvent};
pub use system::{
    CompactBoundary, CompactMetadata, ControlRequestProgress, Init, McpServerState, PluginInfo, PostTurnSummary,
    SessionMetadata, SessionState, SessionStateChanged, SessionTitleChanged, Status, TaskSummary, ThinkingTokens,
    WorkerShuttingDown,
};
pub use task::{
    BackgroundTask, BackgroundTasksChanged, TaskNotification, TaskPatch, TaskProgress, TaskStarted, TaskStatus, TaskUpdated,
    TaskUsage, ToolProgress, ToolUseSummary,
};

pub use usage::{CacheCreation, ModelUsage, ServerToolUse, Usage};

use crate::wire::view;

view! {
    /// A message of an unknown type.
    pub struct Unknown {
        /// The `type` of the message.
        #[serde(rename = "type")]
        kind: String,
        /// The `subtype` of the message.
        subtype: Option<String>,
    }

    /// The fields that any message may have.
    pub struct Head {
        /// The `type` of the message.
        #[serde(rename = "type")]
        kind: String,
        /// The `subtype` of the message.
        subtype: Option<String>,
        /// The id of the message.
        uuid: Option<String>,
        /// The id of the session.
        session_id: Option<String>,
        /// The id of the tool use that started the sub-agent. `None` in the main agent.
        parent_tool_use_id: Option<String>,
    }
}
