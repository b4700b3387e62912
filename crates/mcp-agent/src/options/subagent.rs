//! Sub-agents, and the main agent.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::model::Effort;
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
    /// When to use it, for the model that delegates.
    pub description: String,
    /// Its system prompt.
    pub prompt: String,
    /// The tools that it may use; all by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Tools that it may not use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disallowed_tools: Option<Vec<String>>,
    /// Its model; by default that of the main agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its skills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// How many requests to the model it may make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// Whether it runs in the background.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
    /// Its effort level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Its permission mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<PermissionMode>,
    /// Other fields that the CLI supports, for instance `mcpServers`, `memory` or `initialPrompt`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
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

    /// Sets how many requests to the model it may make.
    #[must_use]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.max_turns = Some(turns);
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
