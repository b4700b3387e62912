//! Limits of turns, cost and tokens.

use crate::agent::Agent;

/// Limits of turns, cost and tokens.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub(crate) turns: Option<u32>,
    pub(crate) budget_usd: Option<f64>,
    pub(crate) task_budget: Option<u64>,
}

/// # Limits
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
}
