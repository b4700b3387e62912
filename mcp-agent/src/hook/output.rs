//! What a hook says to the CLI.

use std::fmt::Display;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::event::{HookEvent, PermissionRequest, PreToolUse};
use crate::permission::{Decision, PermissionBehavior};
use crate::wire::words;

/// What a hook says to the CLI: something general, something of its event, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct HookOutput<E: HookEvent> {
    general: General,
    specific: Option<E::Output>,
}

/// What a hook of any event may say. What is not said is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct General {
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    go_on: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppress_output: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    terminal_sequence: Option<String>,
    #[serde(rename = "async", skip_serializing_if = "Option::is_none")]
    in_background: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    async_timeout: Option<u64>,
}

impl<E: HookEvent> HookOutput<E> {
    /// Nothing to say.
    pub fn pass() -> Self {
        Self { general: General::default(), specific: None }
    }

    /// Something that only this event knows.
    pub fn specific(output: E::Output) -> Self {
        Self { general: General::default(), specific: Some(output) }
    }

    /// Blocks what the event is about: the tool, the prompt; at a stop, the stopping, with `reason` for the model.
    pub fn block(reason: impl Into<String>) -> Self {
        let mut output = Self::pass();
        output.general.decision = Some("block");
        output.general.reason = Some(reason.into());
        output
    }

    /// Ends the turn after what the event is about.
    pub fn stop(reason: impl Into<String>) -> Self {
        let mut output = Self::pass();
        output.general.go_on = Some(false);
        output.general.stop_reason = Some(reason.into());
        output
    }

    /// Lets the CLI go on at once; the hook goes on by itself.
    pub fn in_background(timeout: Option<Duration>) -> Self {
        let mut output = Self::pass();
        output.general.in_background = Some(true);
        output.general.async_timeout = timeout.map(|timeout| timeout.as_secs().max(1));
        output
    }

    /// Approves what the event is about, in the form before permission decisions.
    #[must_use]
    pub fn approve(mut self) -> Self {
        self.general.decision = Some("approve");
        self
    }

    /// Shows a message to the user.
    #[must_use]
    pub fn system_message(mut self, message: impl Into<String>) -> Self {
        self.general.system_message = Some(message.into());
        self
    }

    /// Keeps the hook out of the transcript.
    #[must_use]
    pub fn suppress_output(mut self) -> Self {
        self.general.suppress_output = Some(true);
        self
    }

    /// Sends a control sequence to the terminal.
    #[must_use]
    pub fn terminal_sequence(mut self, sequence: impl Into<String>) -> Self {
        self.general.terminal_sequence = Some(sequence.into());
        self
    }

    /// Says something of the event as well.
    #[must_use]
    pub fn with(mut self, output: E::Output) -> Self {
        self.specific = Some(output);
        self
    }

    pub(super) fn to_raw(&self, event: &str) -> Result<Box<RawValue>, serde_json::Error> {
        #[derive(Serialize)]
        struct Whole<'a, O> {
            #[serde(flatten)]
            general: &'a General,
            #[serde(rename = "hookSpecificOutput", skip_serializing_if = "Option::is_none")]
            specific: Option<Specific<'a, O>>,
        }

        #[derive(Serialize)]
        struct Specific<'a, O> {
            #[serde(rename = "hookEventName")]
            event: &'a str,
            #[serde(flatten)]
            output: &'a O,
        }

        let specific = self.specific.as_ref().map(|output| Specific { event, output });
        serde_json::value::to_raw_value(&Whole { general: &self.general, specific })
    }
}

/// What a hook's future may give: an output, nothing, or a result of those.
pub trait IntoHookOutput<E: HookEvent> {
    /// Makes the output, or the text of the error that the CLI is told.
    ///
    /// # Errors
    /// When the hook failed.
    fn into_hook_output(self) -> Result<HookOutput<E>, String>;
}

impl<E: HookEvent> IntoHookOutput<E> for HookOutput<E> {
    fn into_hook_output(self) -> Result<HookOutput<E>, String> {
        Ok(self)
    }
}

impl<E: HookEvent> IntoHookOutput<E> for () {
    fn into_hook_output(self) -> Result<HookOutput<E>, String> {
        Ok(HookOutput::pass())
    }
}

impl<E: HookEvent, T: IntoHookOutput<E>, F: Display> IntoHookOutput<E> for Result<T, F> {
    fn into_hook_output(self) -> Result<HookOutput<E>, String> {
        self.map_err(|error| error.to_string())?.into_hook_output()
    }
}

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
