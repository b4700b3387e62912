//! Hooks: callbacks of the user that the CLI calls at certain events.

mod call;
mod event;
mod event_output;
mod output;
mod registry;

use std::marker::PhantomData;
use std::time::Duration;

pub use call::{HookBase, HookCall, HookEffort, SessionCron, TaskSummary};
pub use event::{
    AnyEvent, BatchedToolCall, ConfigChange, CwdChanged, DirectoryAdded, EXIT_REASONS, Elicitation, ElicitationResult,
    FileChanged, HookEvent, HookServer, InstructionsLoaded, MessageDisplay, Notification, PermissionDenied,
    PermissionRequest, PostCompact, PostModelSwitch, PostToolBatch, PostToolUse, PostToolUseFailure, PreCompact,
    PreModelSwitch, PreToolUse, SessionEnd, SessionStart, Setup, Stop, StopFailure, SubagentStart, SubagentStop,
    TaskCompleted, TaskCreated, TeammateIdle, UserPromptExpansion, UserPromptSubmit, WorktreeCreate, WorktreeRemove,
    event_names,
};
pub use event_output::{
    ContextOutput, DisplayOutput, ElicitationOutput, NoOutput, PermissionDecision, PermissionDeniedOutput,
    PermissionRequestOutput, PostToolUseOutput, PreModelSwitchOutput, PreToolUseOutput, PromptOutput, SessionStartOutput,
    WatchOutput, WorktreeOutput,
};
pub use output::{HookOutput, IntoHookOutput};

pub(crate) use registry::{Hooks, Matcher};

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
    /// Creates a hook for every event of this type.
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
    /// Creates a hook for an event given by name, with its fields as JSON. Meant for events that this version does not
    /// know.
    pub fn named(event: impl Into<String>) -> Self {
        Self::of(event)
    }
}

impl<E> Hook<E> {
    fn of(event: impl Into<String>) -> Self {
        Self { event: event.into(), matcher: None, timeout: None, block_on_failure: false, marker: PhantomData }
    }

    /// Calls the hook only if this regular expression matches. For events about tools it is matched against the name of
    /// the tool.
    #[must_use]
    pub fn matcher(mut self, pattern: impl Into<String>) -> Self {
        self.matcher = Some(pattern.into());
        self
    }

    /// Sets the time limit of the hook in whole seconds, at least one. There is no limit by default.
    ///
    /// The CLI enforces the limit. When it expires, the future of the hook is dropped, and a tool use that waits for it
    /// is denied.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Denies the tool use if the hook fails or panics. By default a failed hook is ignored.
    #[must_use]
    pub fn block_on_failure(mut self) -> Self {
        self.block_on_failure = true;
        self
    }
}
