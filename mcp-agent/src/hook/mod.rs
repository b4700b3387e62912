//! Hooks: code of the caller that the CLI runs at certain events.

mod event;
mod output;
mod specific;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

pub use event::{
    AnyEvent, BatchedToolCall, ConfigChange, CwdChanged, DirectoryAdded, Elicitation, ElicitationResult, FileChanged,
    HookEvent, HookServer, InstructionsLoaded, MessageDisplay, Notification, PermissionDenied, PermissionRequest,
    PostCompact, PostModelSwitch, PostToolBatch, PostToolUse, PostToolUseFailure, PreCompact, PreModelSwitch, PreToolUse,
    SessionEnd, SessionStart, Setup, Stop, StopFailure, SubagentStart, SubagentStop, TaskCompleted, TaskCreated,
    TeammateIdle, UserPromptExpansion, UserPromptSubmit, WorktreeCreate, WorktreeRemove,
};
pub use output::{HookOutput, IntoHookOutput};
pub use specific::{
    ContextOutput, DisplayOutput, ElicitationOutput, NoOutput, PermissionDecision, PermissionDeniedOutput,
    PermissionRequestOutput, PostToolUseOutput, PreModelSwitchOutput, PreToolUseOutput, PromptOutput, SessionStartOutput,
    WatchOutput, WorktreeOutput,
};

use crate::permission::PermissionMode;
use crate::transport::Pending;
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

/// When to call a hook, and what happens if it fails.
///
/// ```
/// # use std::time::Duration;
/// # use mcp_agent::{Agent, Hook, HookOutput, hook::PreToolUse};
/// let agent = Agent::new().hook(
///     Hook::<PreToolUse>::new().matcher("Bash").timeout(Duration::from_secs(5)).block_on_failure(),
///     |call| async move {
///         match call.tool_input["command"].as_str() {
///             Some(command) if command.contains("rm") => PreToolUse::deny("nothing is removed here"),
///             _ => HookOutput::pass(),
///         }
///     },
/// );
/// ```
#[derive(Debug, Clone)]
pub struct Hook<E> {
    event: String,
    matcher: Option<String>,
    timeout: Option<Duration>,
    block_on_failure: bool,
    marker: PhantomData<fn(E)>,
}

impl<E: HookEvent> Hook<E> {
    /// For every such event.
    pub fn new() -> Self {
        Self::of(E::NAME)
    }
}

impl<E: HookEvent> Default for Hook<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl Hook<AnyEvent> {
    /// For an event by its name, with its fields as plain JSON: for events that this version does not know.
    pub fn named(event: impl Into<String>) -> Self {
        Self::of(event)
    }
}

impl<E> Hook<E> {
    fn of(event: impl Into<String>) -> Self {
        Self { event: event.into(), matcher: None, timeout: None, block_on_failure: false, marker: PhantomData }
    }

    /// Only where this regular expression matches: the tool's name for events about tools.
    #[must_use]
    pub fn matcher(mut self, pattern: impl Into<String>) -> Self {
        self.matcher = Some(pattern.into());
        self
    }

    /// How long the hook may take; whole seconds, at least one. No limit by default.
    ///
    /// The CLI watches over it. When it is over, the hook's future is dropped and a tool that waits for it is denied.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Denies the tool when the hook fails or panics, which otherwise counts as having nothing to say.
    #[must_use]
    pub fn block_on_failure(mut self) -> Self {
        self.block_on_failure = true;
        self
    }
}

/// A hook as `initialize` announces it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Matcher {
    #[serde(skip)]
    pub(crate) event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<String>,
    hook_callback_ids: [String; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
}

/// What a hook has to say, ready for the wire, or why it has nothing to say.
pub(crate) type HookAnswer = Result<Box<RawValue>, String>;

type Callback = dyn Fn(Box<RawValue>, Option<String>) -> Pending<'static, HookAnswer> + Send + Sync;

/// The hooks of a session: the index is the callback's id.
#[derive(Clone, Default)]
pub(crate) struct Hooks(Vec<(Matcher, Arc<Callback>)>);

impl Hooks {
    pub(crate) fn add<E, F, A>(&mut self, hook: Hook<E>, callback: F)
    where
        E: HookEvent,
        F: Fn(HookCall<E>) -> A + Send + Sync + 'static,
        A: Future + Send + 'static,
        A::Output: IntoHookOutput<E>,
    {
        let event = hook.event.clone();
        let matcher = Matcher {
            event: hook.event,
            matcher: hook.matcher,
            hook_callback_ids: [format!("hook_{}", self.0.len())],
            timeout: hook.timeout.map(|timeout| timeout.as_secs_f64().ceil().max(1.0) as u64),
            on_failure: hook.block_on_failure.then_some("block"),
        };
        let callback = Arc::new(callback);
        let callback: Arc<Callback> = Arc::new(move |input, tool_use_id| {
            let (callback, event) = (Arc::clone(&callback), event.clone());
            // Called inside the future, so that its panic is one of the future.
            Box::pin(async move {
                let base = serde_json::from_str(input.get()).unwrap_or_default();
                let answer = callback(HookCall { input: Typed::new(input), base, tool_use_id }).await;
                let output = answer.into_hook_output()?;
                output.to_raw(&event).map_err(|error| error.to_string())
            })
        });
        self.0.push((matcher, callback));
    }

    pub(crate) fn matchers(&self) -> impl Iterator<Item = &Matcher> {
        self.0.iter().map(|(matcher, _)| matcher)
    }

    /// Calls a hook, or says that there is none of this id.
    pub(crate) fn call(
        &self,
        callback_id: &str,
        input: Box<RawValue>,
        tool_use_id: Option<String>,
    ) -> Option<Pending<'static, HookAnswer>> {
        let index: usize = callback_id.strip_prefix("hook_")?.parse().ok()?;
        let (_, callback) = self.0.get(index)?;
        Some(callback(input, tool_use_id))
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.matchers()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn raw(value: serde_json::Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(&value).expect("serialises")
    }

    #[test]
    fn a_matcher_says_only_what_was_set() {
        let mut hooks = Hooks::default();
        hooks.add(Hook::<Stop>::new(), |_| async { HookOutput::pass() });
        hooks.add(
            Hook::<PreToolUse>::new().matcher("mcp__.*").timeout(Duration::from_millis(1500)).block_on_failure(),
            |_| async {},
        );
        let matchers = serde_json::to_value(hooks.matchers().collect::<Vec<_>>()).expect("serialises");
        assert_eq!(
            matchers,
            json!([
                {"hookCallbackIds": ["hook_0"]},
                {"matcher": "mcp__.*", "hookCallbackIds": ["hook_1"], "timeout": 2, "onFailure": "block"}
            ])
        );
    }

    #[tokio::test]
    async fn a_hook_sees_its_event_and_the_common_fields() {
        let mut hooks = Hooks::default();
        hooks.add(Hook::<PreToolUse>::new(), |call| async move {
            assert_eq!(call.base().session_id, "s1");
            assert_eq!(call.tool_use_id(), Some("t1"));
            PreToolUse::deny(format!("{} with {}", call.tool_name, call.tool_input["a"]))
        });
        let input = raw(json!({"session_id": "s1", "tool_name": "add", "tool_input": {"a": 2}}));
        let answer = hooks.call("hook_0", input, Some("t1".to_owned())).expect("a hook").await.expect("an answer");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(answer.get()).expect("json"),
            json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "add with 2"}})
        );
    }

    #[tokio::test]
    async fn an_error_of_the_callback_is_an_error_to_the_cli() {
        let mut hooks = Hooks::default();
        hooks.add(Hook::<Stop>::new(), |_| async { Err::<HookOutput<Stop>, _>(std::fmt::Error) });
        let answer = hooks.call("hook_0", raw(json!({})), None).expect("a hook").await;
        assert_eq!(answer.expect_err("an error"), std::fmt::Error.to_string());
    }

    #[test]
    fn a_callback_that_nobody_registered_is_none() {
        let hooks = Hooks::default();
        for id in ["hook_0", "hook_x", "", "hook_99999999999999999999"] {
            assert!(hooks.call(id, raw(json!({})), None).is_none(), "{id}");
        }
    }
}
