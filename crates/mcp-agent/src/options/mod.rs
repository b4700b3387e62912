//! The options of an agent: plain data, one group per file, each with its builder methods.

mod conversation;
mod environment;
mod limit;
mod model;
mod output;
mod permission;
mod prompt;
mod server;
mod settings;
mod subagent;
mod tool;

pub use model::{Effort, Thinking, ThinkingDisplay};
pub use permission::PermissionPrompts;
pub use prompt::{SYSTEM_PROMPT_DYNAMIC_BOUNDARY, SystemPrompt};
pub use server::{McpServer, McpServersDelivery, MountOptions, ToolPermission};
pub use settings::{Plugin, PluginDelivery, SettingSource};
pub use subagent::{AgentDefinition, AgentEffort, AgentServer};
pub use tool::QuestionPreview;

pub(crate) use conversation::{Conversation, Origin};
pub(crate) use environment::Environment;
pub(crate) use limit::Limits;
pub(crate) use model::Model;
pub(crate) use output::OutputOptions;
pub(crate) use permission::Permissions;
pub(crate) use prompt::Prompt;
pub(crate) use server::Servers;
pub(crate) use settings::{Settings, SettingsSource};
pub(crate) use subagent::Subagents;
pub(crate) use tool::{Skills, Tools, ToolsOffered};

/// All options, by group. An option that is not set has the default of the CLI, unless its builder method documents
/// another default.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    pub(crate) model: Model,
    pub(crate) prompt: Prompt,
    pub(crate) tools: Tools,
    pub(crate) permissions: Permissions,
    pub(crate) servers: Servers,
    pub(crate) subagents: Subagents,
    pub(crate) conversation: Conversation,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) output: OutputOptions,
    pub(crate) environment: Environment,
}

/// Options that contradict each other or have an invalid value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionsError {
    /// Two options that cannot both be set.
    Conflict {
        /// The builder method of one option.
        one: &'static str,
        /// The builder method of the other option.
        other: &'static str,
    },
    /// A value that would change the meaning of the rule, flag or settings it becomes part of.
    InvalidValue {
        /// The builder method that set the value.
        option: &'static str,
        /// The rejected value.
        value: String,
        /// Why the value is not valid.
        reason: &'static str,
    },
}

impl std::fmt::Display for OptionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Conflict { one, other } => write!(f, "{one} and {other} cannot both be set"),
            Self::InvalidValue { option, value, reason } => write!(f, "invalid value {value:?} for {option}: {reason}"),
        }
    }
}

impl std::error::Error for OptionsError {}

/// Collects items into a vector of strings.
pub(crate) fn strings(items: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    items.into_iter().map(Into::into).collect()
}
