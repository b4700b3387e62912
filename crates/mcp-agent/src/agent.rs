//! The builder: an agent before it runs.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

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

/// An agent before it runs: options, callbacks, mounted servers.
///
/// It is a value. Clone it to open several sessions that are alike. Options are said by their group: model, prompt, tools,
/// permissions, servers, sub-agents, conversation, limits, settings, output, environment; what is not said is left to the
/// CLI, except where a method says otherwise.
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

/// Running
impl Agent {
    /// An agent with nothing said.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the CLI and opens a session with it.
    ///
    /// # Errors
    /// When the options contradict each other, the CLI is not found, does not start, ends at once or does not answer.
    pub async fn open(self) -> Result<Session, Error> {
        Session::open(self).await
    }

    /// Asks one thing: a stream of messages that ends when the agent is done, and the CLI with it.
    ///
    /// Nothing happens until the stream is polled.
    pub fn query(self, prompt: impl Into<crate::Prompt>) -> Query {
        Query::new(self, prompt.into())
    }

    /// Asks one thing whose answer is a `T`.
    ///
    /// # Errors
    /// As for [`open`](Self::open), when the turn fails, and when the answer is no `T`. A turn that ends well but without
    /// an answer of the asked form has failed.
    pub async fn query_as<T>(self, prompt: impl Into<crate::Prompt>) -> Result<T, Error>
    where
        T: schemars::JsonSchema + serde::de::DeserializeOwned,
    {
        self.output_of::<T>().query(prompt).output().await
    }
}

/// Callbacks
impl Agent {
    /// Decides about tools that no rule allows or denies.
    ///
    /// The callback may take its time: nothing else waits for it, and there is no limit. If it panics the tool is denied.
    /// If the CLI no longer wants to know, its future is dropped.
    #[must_use]
    pub fn permission<F, D>(mut self, decide: F) -> Self
    where
        F: Fn(Ask) -> D + Send + Sync + 'static,
        D: Future<Output = Decision> + Send + 'static,
    {
        self.callbacks.permission = Some(Callback::new(decide));
        self
    }

    /// Calls a hook at an event. May be said any number of times.
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

    /// Answers when an MCP server asks the user something. Without it, servers are told that he declines.
    #[must_use]
    pub fn elicitation<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(ElicitationRequest) -> A + Send + Sync + 'static,
        A: Future<Output = ElicitationAnswer> + Send + 'static,
    {
        self.callbacks.elicitation = Some(Callback::new(answer));
        self
    }

    /// Shows dialogs of these kinds.
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

    /// Answers requests of the CLI that have no callback of their own, for instance of a later CLI. An error is what the
    /// CLI is told. Without it, such requests are refused as unsupported.
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
        // Not the options: settings and variables may hold secrets.
        f.debug_struct("Agent").field("mounts", &self.mounts).field("callbacks", &self.callbacks).finish_non_exhaustive()
    }
}
