//! Limits of turns, cost, tokens, and of the tools for commands and of MCP servers.

use std::ffi::OsString;
use std::time::Duration;

use crate::agent::Agent;

/// Limits of turns, cost, tokens, and of the tools for commands and of MCP servers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub(crate) turns: Option<u32>,
    pub(crate) budget_usd: Option<f64>,
    pub(crate) task_budget: Option<u64>,
    /// The limits that the CLI reads from its environment.
    variables: Vec<(&'static str, u64)>,
}

impl Limits {
    /// Returns the environment variables of the limits.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (OsString, OsString)> {
        self.variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value.to_string())))
    }
}

/// # Limits
///
/// `docs/agent-limits.md` lists all limits, with their defaults, and says which of them apply to a mounted server.
impl Agent {
    /// Sets how many requests to the model one prompt may cause. Beyond that the turn fails with
    /// [`TurnFailure::MaxTurns`](crate::TurnFailure::MaxTurns).
    #[must_use]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.options.limits.turns = Some(turns);
        self
    }

    /// Sets how much the session may cost, in US dollars. Beyond that a turn fails with
    /// [`TurnFailure::MaxBudget`](crate::TurnFailure::MaxBudget).
    #[must_use]
    pub fn max_budget_usd(mut self, dollars: f64) -> Self {
        self.options.limits.budget_usd = Some(dollars);
        self
    }

    /// Sets the token budget that the model is given for the task.
    #[must_use]
    pub fn task_budget(mut self, tokens: u64) -> Self {
        self.options.limits.task_budget = Some(tokens);
        self
    }

    /// Sets the time limit of a command for which the model sets none (`BASH_DEFAULT_TIMEOUT_MS`). The default is 2 minutes.
    #[must_use]
    pub fn command_timeout(self, timeout: Duration) -> Self {
        self.limit("BASH_DEFAULT_TIMEOUT_MS", millis(timeout))
    }

    /// Sets the longest time limit that the model may set for a command (`BASH_MAX_TIMEOUT_MS`). The default is 10 minutes.
    #[must_use]
    pub fn max_command_timeout(self, timeout: Duration) -> Self {
        self.limit("BASH_MAX_TIMEOUT_MS", millis(timeout))
    }

    /// Sets how many characters of the output of a command the model gets (`BASH_MAX_OUTPUT_LENGTH`). The rest is in a file that
    /// the model can read. The default is 30,000.
    #[must_use]
    pub fn max_command_output(self, characters: u64) -> Self {
        self.limit("BASH_MAX_OUTPUT_LENGTH", characters)
    }

    /// Sets how long an external MCP server may take to connect (`MCP_TIMEOUT`). The default is 30 seconds.
    #[must_use]
    pub fn mcp_connect_timeout(self, timeout: Duration) -> Self {
        self.limit("MCP_TIMEOUT", millis(timeout))
    }

    /// Sets the time limit for the tools of all MCP servers, also of mounted ones (`MCP_TOOL_TIMEOUT`).
    /// [`McpServer::timeout`](crate::McpServer::timeout) and [`MountOptions::timeout`](crate::MountOptions::timeout) set it for
    /// one server. There is no limit by default.
    #[must_use]
    pub fn mcp_tool_timeout(self, timeout: Duration) -> Self {
        self.limit("MCP_TOOL_TIMEOUT", millis(timeout))
    }

    /// Sets how many tokens of the result of an MCP tool the model gets (`MAX_MCP_OUTPUT_TOKENS`). A longer result is in a file
    /// that the model can read. The default is 25,000.
    #[must_use]
    pub fn max_mcp_output_tokens(self, tokens: u64) -> Self {
        self.limit("MAX_MCP_OUTPUT_TOKENS", tokens)
    }

    fn limit(mut self, variable: &'static str, value: u64) -> Self {
        self.options.limits.variables.push((variable, value));
        self
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
