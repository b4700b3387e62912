//! The cost that one session has reported, over all processes that ran it.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::answer::AnswerUsage;
use super::tokens::Tokens;
use crate::message::{ModelUsage, TurnResult};

/// The usage of one model, and its cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelCost {
    /// Tokens.
    pub tokens: Tokens,
    /// The cost in US dollars, as reported by the CLI.
    pub cost_usd: f64,
    /// The number of web searches.
    pub web_searches: u64,
    /// How much of the cost the CLI only assumed, because it does not know the model.
    pub assumed_usd: f64,
    /// Whether the CLI does not know the price of the model. The assumed cost can then also be zero.
    pub is_assumed: bool,
}

impl ModelCost {
    fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.minus(other.tokens),
            cost_usd: (self.cost_usd - other.cost_usd).max(0.0),
            web_searches: self.web_searches.saturating_sub(other.web_searches),
            assumed_usd: (self.assumed_usd - other.assumed_usd).max(0.0),
            is_assumed: self.is_assumed,
        }
    }

    pub(super) fn usage(&self) -> AnswerUsage {
        AnswerUsage { tokens: self.tokens, web_searches: self.web_searches, ..AnswerUsage::default() }
    }
}

impl AddAssign for ModelCost {
    fn add_assign(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.cost_usd += other.cost_usd;
        self.web_searches = self.web_searches.saturating_add(other.web_searches);
        self.assumed_usd += other.assumed_usd;
        self.is_assumed |= other.is_assumed;
    }
}

impl From<&ModelUsage> for ModelCost {
    fn from(usage: &ModelUsage) -> Self {
        let is_assumed = usage.cost_basis.as_deref() == Some("unknown");
        Self {
            tokens: Tokens::from(usage),
            cost_usd: usage.cost_usd,
            web_searches: usage.web_search_requests,
            assumed_usd: if is_assumed { usage.cost_usd } else { 0.0 },
            is_assumed,
        }
    }
}

/// The reported cost of one session.
///
/// The totals in a result include the earlier results of the session: those of this process, and after a resume or fork
/// also those of earlier processes. So the results of a session are not added up. What is added up is the usage since the
/// previous result, which today's CLI reports. For an older one it is the difference to the previous totals.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Account {
    /// What the recorded results cost.
    pub(super) sum: Reported,
    /// The totals in the last result.
    last: Reported,
}

/// Cost and usage by model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reported {
    pub(super) cost_usd: f64,
    pub(super) models: BTreeMap<String, ModelCost>,
}

impl Account {
    /// Records a result.
    pub(super) fn record(&mut self, result: &TurnResult) {
        let totals = Reported { cost_usd: result.total_cost_usd, models: by_model(&result.model_usage) };
        let new = match &result.model_usage_since_last_result {
            Some(models) => {
                let models = by_model(models);
                Reported { cost_usd: models.values().map(|spent| spent.cost_usd).sum(), models }
            }
            None => totals.since(&self.last),
        };
        self.sum.add(new);
        self.last = totals;
    }
}

impl Reported {
    fn add(&mut self, other: Self) {
        self.cost_usd += other.cost_usd;
        for (model, spent) in other.models {
            *self.models.entry(model).or_default() += spent;
        }
    }

    /// Returns the increase since earlier totals. If a total decreased, the process started from zero.
    fn since(&self, earlier: &Self) -> Self {
        if self.cost_usd < earlier.cost_usd {
            return self.clone();
        }
        let before = |model: &String| earlier.models.get(model).copied().unwrap_or_default();
        let models = self.models.iter().map(|(model, spent)| (model.clone(), spent.minus(before(model))));
        Self { cost_usd: self.cost_usd - earlier.cost_usd, models: models.collect() }
    }
}

fn by_model(usage: &BTreeMap<String, ModelUsage>) -> BTreeMap<String, ModelCost> {
    usage.iter().map(|(model, usage)| (model.clone(), ModelCost::from(usage))).collect()
}
