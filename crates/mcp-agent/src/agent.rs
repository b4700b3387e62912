//! The builder of an agent.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures_core::Stream;
use serde_json::Value;

use crate::callback::Callback;
use crate::elicitation::{DialogAnswer, DialogRequest, ElicitationAnswer, ElicitationRequest};
use crate::error::Error;
use crate::hook::{Hook, HookCall, HookEvent, IntoHookOutput};
use crate::mount::Mounts;
use crate::options::{Options, strings};
use crate::permission::{Ask, Decision};
use crate::process::Process;
use crate::query::Query;
use crate::service::{Callbacks, ControlRequest};
use crate::session::Session;
use crate::transport::Transport;

/// The configuration of an agent: options, callbacks and mounted servers.
///
/// An `Agent` is a plain value: clone it to open several sessions with the same configuration. The option methods are
/// grouped: model, prompt, tools, permissions, servers, sub-agents, conversation, limits, settings, output,
/// environment. An option that is not set has the default of the CLI, unless its method documents another default.
///
/// ```no_run
/// # async fn f() -> Result<(), mcp_agent::Error> {
/// use mcp_agent::{Agent, Decision};
///
/// let mut session = Agent::new()
///     .system_prompt("You are terse.")
///     .allow_tools(["Read"])
///     .permission(|ask| async move { Decision::deny(format!("no {} today", ask.tool_name)) })
///     .open()
///     .await?;
/// session.send("What is in Cargo.toml?").await?;
/// while let Some(message) = session.next().await? {
///     if let Some(text) = message.text() {
///         println!("{text}");
///     }
/// }
/// session.close().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Agent {
    pub(crate) options: Options,
    pub(crate) callbacks: Callbacks,
    pub(crate) mounts: Mounts,
    pub(crate) process: Process,
    pub(crate) transport: Option<Arc<dyn Transport>>,
}

/// # Running
impl Agent {
    /// Creates an agent without any options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the CLI and opens a session with it.
    ///
    /// # Errors
    /// If options contradict each other, or if the CLI is not found, does not start, exits at once or does not answer
    /// in time.
    pub async fn open(self) -> Result<Session, Error> {
        Session::open(self).await
    }

    /// Sends one prompt and returns the stream of messages. At the end of the run the CLI is shut down and the stream
    /// ends.
    ///
    /// Nothing happens until the stream is polled.
    pub fn query(self, prompt: impl Into<crate::Prompt>) -> Query {
        Query::new(self, prompt.into())
    }

    /// Sends the prompts of a stream and returns the stream of messages. When the last prompt was sent and the run is over, the
    /// CLI is shut down and the stream ends.
    ///
    /// Nothing happens until the stream is polled. [`Query::handle`] returns a handle for requests.
    pub fn query_stream<S>(self, prompts: S) -> Query
    where
        S: Stream<Item: Into<crate::Prompt> + Send> + Send + 'static,
    {
        Query::of_stream(self, prompts)
    }

    /// Sends one prompt and returns the answer as a `T`, using structured output.
    ///
    /// # Errors
    /// As [`open`](Self::open); also if the turn fails, if it succeeds without structured output, and if the output
    /// does not deserialize into a `T`.
    pub async fn query_as<T>(self, prompt: impl Into<crate::Prompt>) -> Result<T, Error>
    where
        T: schemars::JsonSchema + serde::de::DeserializeOwned,
    {
        self.output_of::<T>().query(prompt).output().await
    }
}

/// # Callbacks
impl Agent {
    /// Sets the callback that decides on tool uses that no permission rule allows or denies.
    ///
    /// There is no time limit, and other requests are served while the callback runs. If the callback panics, the tool
    /// use is denied. If the CLI cancels its question, the callback's future is dropped.
    #[must_use]
    pub fn permission<F, D>(mut self, decide: F) -> Self
    where
        F: Fn(Ask) -> D + Send + Sync + 'static,
        D: Future<Output = Decision> + Send + 'static,
    {
        self.callbacks.permission = Some(Callback::new(decide));
        self
    }

    /// Adds a hook. Can be called any number of times.
    #[must_use]
    pub fn hook<E, F, A>(mut self, hook: Hook<E>, callback: F) -> Self
    where
        E: HookEvent,
        F: Fn(HookCall<E>) -> A + Send + Sync + 'static,
        A: Future + Send + 'static,
        A::Output: IntoHookOutput<E>,
    {
        self.callbacks.hooks.add(hook, callback);
        self
    }

    /// Sets the callback that answers elicitations of MCP servers. Without it, elicitations are declined.
    #[must_use]
    pub fn elicitation<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(ElicitationRequest) -> A + Send + Sync + 'static,
        A: Future<Output = ElicitationAnswer> + Send + 'static,
    {
        self.callbacks.elicitation = Some(Callback::new(answer));
        self
    }

    /// Sets the callback that shows user dialogs of the given kinds.
    #[must_use]
    pub fn user_dialog<F, A>(mut self, kinds: impl IntoIterator<Item = impl Into<String>>, show: F) -> Self
    where
        F: Fn(DialogRequest) -> A + Send + Sync + 'static,
        A: Future<Output = DialogAnswer> + Send + 'static,
    {
        self.callbacks.dialog_kinds = strings(kinds);
        self.callbacks.dialog = Some(Callback::new(show));
        self
    }

    /// Sets the callback for control requests that have no callback of their own, for instance those of a newer CLI. An
    /// `Err` is sent to the CLI as the error message. Without this callback, such requests are rejected as unsupported.
    #[must_use]
    pub fn control_request<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(ControlRequest) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Value, String>> + Send + 'static,
    {
        self.callbacks.other = Some(Callback::new(answer));
        self
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The options are left out: settings and environment variables may hold secrets.
        f.debug_struct("Agent").field("mounts", &self.mounts).field("callbacks", &self.callbacks).finish_non_exhaustive()
    }
}
