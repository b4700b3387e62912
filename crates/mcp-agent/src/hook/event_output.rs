//! Outputs of hooks that are specific to an event.

use serde::Serialize;
use serde_json::{Map, Value};

use super::event::{PermissionRequest, PreToolUse};
use super::output::HookOutput;
use crate::permission::{Decision, PermissionBehavior};
use crate::wire::words;

words! {
    /// The decision of a hook on a tool use or a change of model.
    pub enum PermissionDecision {
        /// The tool is used without asking.
        Allow = "allow",
        /// The tool is not used.
        Deny = "deny",
        /// Permission is asked for.
        Ask = "ask",
        /// The turn ends, and the tool use is returned in its result.
        Defer = "defer",
    }
}

/// Declares outputs: structs of public optional fields. Unset fields are left out.
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
            /// Creates an output with no field set.
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
    /// Output of a hook before a tool use.
    pub struct PreToolUseOutput {
        /// The decision.
        permission_decision: PermissionDecision,
        /// The reason for the decision.
        permission_decision_reason: String,
        /// Replacement for the arguments.
        updated_input: Map<String, Value>,
        /// Additional context for the model.
        additional_context: String,
    }

    /// Output of a hook after a tool use.
    pub struct PostToolUseOutput {
        /// Additional context for the model.
        additional_context: String,
        /// Additional context for the classifier.
        classifier_context: String,
        /// Replacement for the result.
        updated_tool_output: Value,
        /// Replacement for the result of an MCP tool.
        #[serde(rename = "updatedMCPToolOutput")]
        updated_mcp_tool_output: Value,
    }

    /// Output of hooks that can only add context for the model.
    pub struct ContextOutput {
        /// Additional context for the model.
        additional_context: String,
    }

    /// Output of a hook for a prompt.
    pub struct PromptOutput {
        /// Additional context for the model.
        additional_context: String,
        /// The title of the session.
        session_title: String,
        /// Whether the prompt itself is left out.
        suppress_original_prompt: bool,
    }

    /// Output of a hook for the start of a session.
    pub struct SessionStartOutput {
        /// Additional context for the model.
        additional_context: String,
        /// The first prompt of the session.
        initial_user_message: String,
        /// The title of the session.
        session_title: String,
        /// Files to watch.
        watch_paths: Vec<String>,
        /// Whether to reload skills.
        reload_skills: bool,
    }

    /// Output of a hook before a change of model.
    pub struct PreModelSwitchOutput {
        /// The decision.
        permission_decision: PermissionDecision,
        /// The reason for the decision.
        permission_decision_reason: String,
    }

    /// Output of a hook after a tool use was denied.
    pub struct PermissionDeniedOutput {
        /// Whether the model may try again.
        retry: bool,
    }

    /// Output of a hook for an elicitation, before and after the user answers.
    pub struct ElicitationOutput {
        /// The answer of the user: `accept`, `decline` or `cancel`.
        action: String,
        /// The answer.
        content: Map<String, Value>,
    }

    /// Output of a hook for changes of files or directories.
    pub struct WatchOutput {
        /// Files to watch.
        watch_paths: Vec<String>,
    }

    /// Output of a hook that creates a worktree.
    pub struct WorktreeOutput {
        /// The path of the created worktree.
        worktree_path: String,
    }

    /// Output of a hook for displayed text.
    pub struct DisplayOutput {
        /// The text to display instead.
        display_content: String,
    }

    /// Output of events that have no specific output.
    pub struct NoOutput {}
}

/// Output of a hook for a permission request.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PermissionRequestOutput {
    /// The decision, in place of the user's.
    pub decision: Decision,
}

impl PreToolUse {
    /// Allows the tool use without asking.
    pub fn allow() -> HookOutput<Self> {
        Self::decide(PermissionDecision::Allow)
    }

    /// Denies the tool use. The model is given `reason`.
    pub fn deny(reason: impl Into<String>) -> HookOutput<Self> {
        HookOutput::specific(
            PreToolUseOutput::new().permission_decision(PermissionDecision::Deny).permission_decision_reason(reason),
        )
    }

    /// Asks for permission.
    pub fn ask() -> HookOutput<Self> {
        Self::decide(PermissionDecision::Ask)
    }

    /// Ends the turn. Its result contains the tool use.
    pub fn defer() -> HookOutput<Self> {
        Self::decide(PermissionDecision::Defer)
    }

    /// Replaces the arguments of the tool. Does not decide on permission.
    pub fn rewrite(input: Map<String, Value>) -> HookOutput<Self> {
        HookOutput::specific(PreToolUseOutput::new().updated_input(input))
    }

    fn decide(decision: PermissionDecision) -> HookOutput<Self> {
        HookOutput::specific(PreToolUseOutput::new().permission_decision(decision))
    }
}

impl PermissionRequest {
    /// Decides in place of the user.
    pub fn decide(decision: Decision) -> HookOutput<Self> {
        HookOutput::specific(PermissionRequestOutput { decision })
    }
}

impl From<PermissionBehavior> for PermissionDecision {
    fn from(behavior: PermissionBehavior) -> Self {
        Self::from(behavior.as_str())
    }
}
