//! Who does the work: the main agent and its helpers.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::model::Effort;
use super::strings;
use crate::agent::Agent;
use crate::permission::PermissionMode;

/// Who does the work: the main agent and its helpers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Subagents {
    pub(crate) main: Option<String>,
    pub(crate) defined: BTreeMap<String, AgentDefinition>,
    pub(crate) progress_summaries: Option<bool>,
    pub(crate) forward_text: Option<bool>,
    pub(crate) stop_affordance: Option<bool>,
}

/// A helper that the model can give work to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgentDefinition {
    /// When to use it; for the model that gives the work.
    pub description: String,
    /// What it is told; for the helper.
    pub prompt: String,
    /// The tools that it has; all by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Tools that it does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disallowed_tools: Option<Vec<String>>,
    /// Its model; the same by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its skills.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<Vec<String>>,
    /// How often the model may be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    /// Whether it works in the background.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<bool>,
    /// How hard it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// How permission is given to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<PermissionMode>,
    /// Other fields of the CLI, for instance `mcpServers`, `memory` or `initialPrompt`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl AgentDefinition {
    /// A helper for what `description` says, told `prompt`.
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self { description: description.into(), prompt: prompt.into(), ..Self::default() }
    }

    /// The tools that it has.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tools = Some(strings(tools));
        self
    }

    /// Tools that it does not have.
    #[must_use]
    pub fn disallowed_tools(mut self, tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.disallowed_tools = Some(strings(tools));
        self
    }

    /// Its model.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// How often the model may be asked.
    #[must_use]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.max_turns = Some(turns);
        self
    }

    /// Any other field of the CLI.
    #[must_use]
    pub fn with(mut self, field: impl Into<String>, value: impl Into<Value>) -> Self {
        self.rest.insert(field.into(), value.into());
        self
    }
}

/// Sub-agents
impl Agent {
    /// Lets the session be this agent, one that is defined here or in the settings.
    #[must_use]
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.options.subagents.main = Some(name.into());
        self
    }

    /// Defines a helper that the model can give work to.
    #[must_use]
    pub fn define_agent(mut self, name: impl Into<String>, definition: AgentDefinition) -> Self {
        self.options.subagents.defined.insert(name.into(), definition);
        self
    }

    /// Sums up what background agents are doing.
    #[must_use]
    pub fn agent_progress_summaries(mut self, on: bool) -> Self {
        self.options.subagents.progress_summaries = Some(on);
        self
    }

    /// Gives the text and thinking of helpers too, as messages with a `parent_tool_use_id`.
    #[must_use]
    pub fn forward_subagent_text(mut self, on: bool) -> Self {
        self.options.subagents.forward_text = Some(on);
        self
    }

    /// Says that the host has a way to stop each task by itself.
    #[must_use]
    pub fn per_task_stop(mut self, on: bool) -> Self {
        self.options.subagents.stop_affordance = Some(on);
        self
    }
}
