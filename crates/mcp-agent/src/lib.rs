//! Runs the Claude Code CLI as an agent and mounts MCP servers of this program in it.
//!
//! An [`Agent`] is a value with options, callbacks and servers. [`Agent::open`] starts the CLI and returns a [`Session`]:
//! send prompts to it and read typed [`Message`]s from it. [`query`] does this for a single prompt. While a session is
//! open, the CLI sends requests, and the session answers them with the callbacks of the agent: permission for a tool use
//! (a [`Decision`]), a [`Hook`], or a message to a mounted server.
//!
//! ```no_run
//! # async fn f() -> Result<(), mcp_agent::Error> {
//! let mut answer = mcp_agent::query("What is 2 + 3?");
//! while let Some(message) = answer.next().await? {
//!     println!("{message:?}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Names shared with `mcp_core`
//!
//! Some names exist in both crates, because agents and MCP use the same terms. A program that uses both imports one of
//! them by its path, for instance `mcp_agent::Session`.
//!
//! | name | in this crate | in `mcp_core` |
//! |---|---|---|
//! | [`Session`] | a conversation with the CLI | `transport::Session`: a client's session with an MCP server |
//! | [`Message`] | a message of the CLI, such as an answer of the model | `transport::Message`: a JSON-RPC message |
//! | [`Prompt`] | a user message that is sent to the agent | `dynamic::Prompt`: a prompt that a server offers |
//! | [`Hook`] | when the CLI calls a callback, for an event such as `PreToolUse` | `hook::Hook`: wraps the tool calls of a server |
//! | [`HookCall`] | the input of such a callback | `hook::HookCall`: a tool call before it runs |
//! | [`Typed`] | a typed view of a JSON object with its original text | `completion::Typed`: the input to complete |
//!
//! # Repositories that are not trusted
//!
//! A CLI that is driven by a program does not ask whether the user trusts the project. It starts the servers of `.mcp.json`,
//! runs the hooks and the `apiKeyHelper` of the project's settings, and takes the allow rules of `settings.local.json`. A hook
//! of the project can allow a tool use before the permission callback is asked. For a cloned repository:
//!
//! - leave out its settings with [`Agent::setting_sources`] (only [`SettingSource::User`]),
//! - ask the user about its servers with [`project_servers`],
//! - apply its permission rules with [`Agent::rules_or`] and `mcp_guard::Rules::load`, which leaves out what an untrusted
//!   project allows.
//!
//! # Inside
//!
//! A [`Transport`] ([`Process`] by default) delivers lines. They are parsed into frames and routed: responses to the
//! caller that waits for them, requests to the callbacks, everything else to the reader of messages. The modules that make
//! decisions do no I/O: arguments, frames, requests in flight, serving requests, the end of a run.

mod agent;
mod argv;
pub mod builtin;
mod callback;
pub mod cost;
mod elicitation;
mod error;
pub mod event;
mod find;
pub mod fold;
mod frame;
mod handle;
pub mod hook;
mod in_flight;
mod initialize;
mod invocation;
mod io_tasks;
mod link;
pub mod mcp_config;
pub mod message;
mod messages;
mod mount;
mod npm_shim;
mod options;
mod permission;
mod process;
pub mod project_servers;
mod prompt;
mod query;
mod run;
mod service;
mod session;
pub mod settings;
mod spare;
pub mod store;
mod structured;
mod sys;
mod transport;
mod unread;
mod uuid;
mod wire;

/// For the model of the table of requests in `tools/driver-model`.
#[doc(hidden)]
pub mod __private {
    pub use crate::frame::RequestId;
    pub use crate::in_flight::InFlight;
}

pub use agent::Agent;
pub use elicitation::{DialogAnswer, DialogFields, DialogRequest, ElicitationAnswer, ElicitationFields, ElicitationRequest};
pub use error::{Ended, Error, StartError, TurnError, TurnFailure};
pub use handle::{Handle, McpCall, ReloadPlugins};
pub use hook::{Hook, HookCall, HookOutput};
pub use initialize::{Account, AgentInfo, ModelInfo, Welcome, WelcomeFields};
pub use invocation::{Arg, Invocation};
pub use mcp_agent_tools::ToolName;
pub use message::Message;
pub use messages::Messages;
pub use options::{
    AgentDefinition, AgentEffort, AgentServer, Effort, McpServer, McpServersDelivery, MountOptions, OptionsError,
    PermissionPrompts, Plugin, PluginDelivery, QuestionPreview, SYSTEM_PROMPT_DYNAMIC_BOUNDARY, SettingSource, SystemPrompt,
    Thinking, ThinkingDisplay, ToolPermission,
};
pub use permission::{
    Ask, AskFields, AskRule, AskServer, Decision, DecisionClassification, PermissionBehavior, PermissionDestination,
    PermissionMode, PermissionRule, PermissionUpdate, RememberedUses,
};
pub use process::{Launch, Process};
pub use prompt::Prompt;
pub use query::{Query, query, query_as};
pub use service::{ControlRequest, RequestFields};
pub use session::Session;
pub use spare::{Claim, Claimed, Spare};
pub use transport::{Connection, Ending, Input, Output, Peer, Pending, ShutdownTimeouts, Transport};
pub use unread::Unread;
#[doc(hidden)]
pub use uuid::random as random_uuid;
pub use wire::Typed;

/// The responses of the CLI to requests of a [`Handle`].
pub mod reply {
    pub use crate::handle::{
        BinaryVersion, CacheImpact, ContextAgent, ContextApiUsage, ContextCategory, ContextCommands, ContextDeferredTool,
        ContextMcpInstructions, ContextMcpTool, ContextMemoryFile, ContextMessages, ContextPart, ContextSkill,
        ContextSkills, ContextSquare, ContextToolCalls, ContextUsage, EditableHook, ExtraUsage, FileContents, HookEventInfo,
        HookInfo, HookMode, HookPolicy, HooksListing, InterruptReceipt, McpCallResult, McpResource, McpResourceContent,
        McpServerInfo, McpServerStatus, McpTool, McpToolAnnotations, ModelUsageWindow, PermissionRuleDescription,
        PermissionRuleEntry, PermissionRules, PermissionRulesState, ReloadedOutputStyles, ReloadedPlugins, ReloadedSkills,
        RewindOutcome, ServersChanged, SessionUsage, SettingsParseError, TaskOutput, UsageBehavior, UsageBehaviors,
        UsageFix, UsageLimits, UsagePeriod, UsageRecommendation, UsageReport, UsageShare, UsageWindow, WorkspaceDirectory,
    };
}

pub use reply::{
    BinaryVersion, ContextCategory, ContextUsage, InterruptReceipt, McpServerStatus, McpTool, RewindOutcome, ServersChanged,
};
