//! Sub-agents, and the main agent.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::model::Effort;
use super::server::McpServer;
use super::settings::SettingSource;
use super::strings;
use crate::agent::Agent;
use crate::permission::PermissionMode;

/// Options of sub-agents and of the main agent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Subagents {
    pub(crate) main: Option<String>,
    pub(crate) defined: BTreeMap<String, AgentDefinition>,
    pub(crate) progress_summaries: Option<bool>,
    pub(crate) forward_text: Option<bool>,
    pub(crate) stop_affordance: Option<bool>,
}

/// A sub-agent that the model can delegate work to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgentDefinition {
    /// When to use the sub-agent. The model that delegates work reads this.
    pub description: String,
    /// The system prompt of the sub-agent.
    pub prompt: String,
    /// The tools that the sub-agent may use; all by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Tools that the sub-agent may not use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disallowed_tools: Option<Vec<String>>,
    /// The model of the sub-agent; by default that of the main agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The skills of the sub-agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// The maximum number of requests to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// Whether the sub-agent runs in the background.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
    /// The effort level of the sub-agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<AgentEffort>,
    /// The permission mode of the sub-agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<PermissionMode>,
    /// The MCP servers of the sub-agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_servers: Option<Vec<AgentServer>>,
    /// The first prompt of a main agent, sent before that of the user. It may be a slash command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_prompt: Option<String>,
    /// The number of tokens at which the conversation of the sub-agent is compacted. It can only lower the limit of the
    /// main agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto_compact_window: Option<u64>,
    /// Whether the sub-agent runs without the `CLAUDE.md` files of the user and the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omit_claude_md: Option<bool>,
    /// Where the memories of the sub-agent are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<SettingSource>,
    /// The type of the observer: a sub-agent that runs in the background whenever this one runs, and only watches it.
    /// Several types are separated by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observer: Option<String>,
    /// A text that is added to every report to the observer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observer_message: Option<String>,
    /// A reminder in the system prompt. Experimental.
    #[serde(rename = "criticalSystemReminder_EXPERIMENTAL", skip_serializing_if = "Option::is_none")]
    pub critical_system_reminder: Option<String>,
    /// Other fields that the CLI supports.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// The effort level of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum AgentEffort {
    /// A level with a name.
    Named(Effort),
    /// A level as a number.
    Number(u32),
}

impl From<Effort> for AgentEffort {
    fn from(effort: Effort) -> Self {
        Self::Named(effort)
    }
}

/// An MCP server of a sub-agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum AgentServer {
    /// A server of the session, by name.
    Named(String),
    /// Other servers, by name.
    Own(BTreeMap<String, McpServer>),
}

impl AgentDefinition {
    /// Creates a sub-agent with a description and a system prompt.
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self { description: description.into(), prompt: prompt.into(), ..Self::default() }
    }

    /// Sets the tools that it may use.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tools = Some(strings(tools));
        self
    }

    /// Sets tools that it may not use.
    #[must_use]
    pub fn disallowed_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.disallowed_tools = Some(strings(tools));
        self
    }

    /// Sets its model.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Sets how many requests to the model the sub-agent may make.
    #[must_use]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.max_turns = Some(turns);
        self
    }

    /// Sets its effort level.
    #[must_use]
    pub fn effort(mut self, effort: impl Into<AgentEffort>) -> Self {
        self.effort = Some(effort.into());
        self
    }

    /// Sets its permission mode.
    #[must_use]
    pub fn permission_mode(mut self, mode: PermissionMode) -> Self {
        self.permission_mode = Some(mode);
        self
    }

    /// Sets its skills.
    #[must_use]
    pub fn skills(mut self, skills: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.skills = Some(strings(skills));
        self
    }

    /// Adds an MCP server of its own.
    #[must_use]
    pub fn mcp_server(mut self, name: impl Into<String>, server: McpServer) -> Self {
        let own = AgentServer::Own([(name.into(), server)].into());
        self.mcp_servers.get_or_insert_default().push(own);
        self
    }

    /// Gives it a server of the session. Without servers, it has all of them.
    #[must_use]
    pub fn server_of_session(mut self, name: impl Into<String>) -> Self {
        self.mcp_servers.get_or_insert_default().push(AgentServer::Named(name.into()));
        self
    }

    /// Sets any other field that the CLI supports.
    #[must_use]
    pub fn with(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.rest.insert(field.into(), value.into());
        self
    }
}

/// # Sub-agents
impl Agent {
    /// Runs the main conversation as this agent, which is defined here or in the settings.
    #[must_use]
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.options.subagents.main = Some(name.into());
        self
    }

    /// Defines a sub-agent that the model can delegate work to.
    #[must_use]
    pub fn define_agent(mut self, name: impl Into<String>, definition: AgentDefinition) -> Self {
        self.options.subagents.defined.insert(name.into(), definition);
        self
    }

    /// Makes the CLI report summaries of what background agents do.
    #[must_use]
    pub fn agent_progress_summaries(mut self, on: bool) -> Self {
        self.options.subagents.progress_summaries = Some(on);
        self
    }

    /// Also yields text and thinking of sub-agents, as messages with a `parent_tool_use_id`.
    #[must_use]
    pub fn forward_subagent_text(mut self, on: bool) -> Self {
        self.options.subagents.forward_text = Some(on);
        self
    }

    /// Declares that the host can stop each task separately.
    #[must_use]
    pub fn per_task_stop(mut self, on: bool) -> Self {
        self.options.subagents.stop_affordance = Some(on);
        self
    }
}
