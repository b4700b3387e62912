//! How far a turn may go.

use crate::agent::Agent;

/// How far a turn may go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub(crate) turns: Option<u32>,
    pub(crate) budget_usd: Option<f64>,
    pub(crate) task_budget: Option<u64>,
}

/// Limits
impl Agent {
    /// How often the model may be asked for one prompt. Beyond, the turn fails with
    /// [`TurnFailure::MaxTurns`](crate::TurnFailure::MaxTurns).
    #[must_use]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.options.limits.turns = Some(turns);
        self
    }

    /// How much the session may cost, in US dollars. Beyond, a turn fails with
    /// [`TurnFailure::MaxBudget`](crate::TurnFailure::MaxBudget).
    #[must_use]
    pub fn max_budget_usd(mut self, dollars: f64) -> Self {
        self.options.limits.budget_usd = Some(dollars);
        self
    }

    /// How many tokens the model is told that it has for the task.
    #[must_use]
    pub fn task_budget(mut self, tokens: u64) -> Self {
        self.options.limits.task_budget = Some(tokens);
        self
    }
}
