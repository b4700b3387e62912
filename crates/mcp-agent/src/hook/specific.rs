//! What a hook may say that only its event knows.

use serde::Serialize;
use serde_json::{Map, Value};

use super::event::{PermissionRequest, PreToolUse};
use super::output::HookOutput;
use crate::permission::{Decision, PermissionBehavior};
use crate::wire::words;

words! {
    /// What a hook decides about a tool use or a change of model.
    pub enum PermissionDecision {
        /// Nobody is asked.
        Allow = "allow",
        /// Refused.
        Deny = "deny",
        /// Somebody is asked.
        Ask = "ask",
        /// The turn ends, and the tool use is given to the caller.
        Defer = "defer",
    }
}

/// Declares outputs: structs of public fields which are left out when they are not set.
macro_rules! outputs {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[doc = $doc:expr])* $(#[serde($($serde:tt)*)])? $field:ident: $type:ty,)*
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                $(#[serde($($serde)*)])?
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
        }

        impl $name {
            /// With nothing set.
            pub fn new() -> Self {
                Self::default()
            }
            $(
                $(#[doc = $doc])*
                #[must_use]
                pub fn $field(mut self, value: impl Into<$type>) -> Self {
                    self.$field = Some(value.into());
                    self
                }
            )*
        }
    )+};
}

outputs! {
    /// Before a tool is used.
    pub struct PreToolUseOutput {
        /// Whether it may be.
        permission_decision: PermissionDecision,
        /// Why.
        permission_decision_reason: String,
        /// Other arguments.
        updated_input: Map<String, Value>,
        /// What the model should know.
        additional_context: String,
    }

    /// After a tool was used.
    pub struct PostToolUseOutput {
        /// What the model should know.
        additional_context: String,
        /// What the classifier should know.
        classifier_context: String,
        /// Another result.
        updated_tool_output: Value,
        /// Another result of an MCP tool.
        #[serde(rename = "updatedMCPToolOutput")]
        updated_mcp_tool_output: Value,
    }

    /// For the many events that can only tell the model something.
    pub struct ContextOutput {
        /// What the model should know.
        additional_context: String,
    }

    /// When a prompt comes.
    pub struct PromptOutput {
        /// What the model should know.
        additional_context: String,
        /// The session's title.
        session_title: String,
        /// Whether the prompt itself is left out.
        suppress_original_prompt: bool,
    }

    /// When a session starts.
    pub struct SessionStartOutput {
        /// What the model should know.
        additional_context: String,
        /// A first prompt.
        initial_user_message: String,
        /// The session's title.
        session_title: String,
        /// Files to watch.
        watch_paths: Vec<String>,
        /// Whether skills are read again.
        reload_skills: bool,
    }

    /// Before the model is changed.
    pub struct PreModelSwitchOutput {
        /// Whether it may be.
        permission_decision: PermissionDecision,
        /// Why.
        permission_decision_reason: String,
    }

    /// After a tool was refused.
    pub struct PermissionDeniedOutput {
        /// Whether the model may try again.
        retry: bool,
    }

    /// When a server asks the user something, and when he has answered.
    pub struct ElicitationOutput {
        /// `accept`, `decline` or `cancel`.
        action: String,
        /// What he answers.
        content: Map<String, Value>,
    }

    /// When a directory or file changed.
    pub struct WatchOutput {
        /// Files to watch.
        watch_paths: Vec<String>,
    }

    /// When a worktree is to be made.
    pub struct WorktreeOutput {
        /// Where it was made.
        worktree_path: String,
    }

    /// When text is shown.
    pub struct DisplayOutput {
        /// What is shown instead.
        display_content: String,
    }

    /// For events that take no answer of their own.
    pub struct NoOutput {}
}

/// When somebody is to be asked about a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PermissionRequestOutput {
    /// The answer in his place.
    pub decision: Decision,
}

impl PreToolUse {
    /// The tool may be used; nobody is asked.
    pub fn allow() -> HookOutput<Self> {
        Self::decide(PermissionDecision::Allow)
    }

    /// The tool may not be used; the model reads `reason`.
    pub fn deny(reason: impl Into<String>) -> HookOutput<Self> {
        HookOutput::specific(
            PreToolUseOutput::new().permission_decision(PermissionDecision::Deny).permission_decision_reason(reason),
        )
    }

    /// Somebody is asked.
    pub fn ask() -> HookOutput<Self> {
        Self::decide(PermissionDecision::Ask)
    }

    /// The turn ends, and its result holds the tool use.
    pub fn defer() -> HookOutput<Self> {
        Self::decide(PermissionDecision::Defer)
    }

    /// The tool is used with other arguments; whether it may be is for others to say.
    pub fn rewrite(input: Map<String, Value>) -> HookOutput<Self> {
        HookOutput::specific(PreToolUseOutput::new().updated_input(input))
    }

    fn decide(decision: PermissionDecision) -> HookOutput<Self> {
        HookOutput::specific(PreToolUseOutput::new().permission_decision(decision))
    }
}

impl PermissionRequest {
    /// Answers in place of who would be asked.
    pub fn decide(decision: Decision) -> HookOutput<Self> {
        HookOutput::specific(PermissionRequestOutput { decision })
    }
}

impl From<PermissionBehavior> for PermissionDecision {
    fn from(behavior: PermissionBehavior) -> Self {
        Self::from(behavior.as_str())
    }
}
