//! The cost that sessions have reported. Each process of a session counts from zero.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::tokens::Tokens;

/// The usage of one model, and its cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Spent {
    /// Tokens.
    pub tokens: Tokens,
    /// The cost in US dollars, as reported by the CLI.
    pub cost_usd: f64,
    /// Number of web searches.
    pub web_searches: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.cost_usd += other.cost_usd;
        self.web_searches = self.web_searches.saturating_add(other.web_searches);
    }
}

/// The reported cost of one session: of its current process, and of the processes before it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Account {
    pub(super) before: Reported,
    pub(super) now: Reported,
    result: Option<u64>,
}

/// The reported cost of one process.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reported {
    pub(super) cost_usd: f64,
    pub(super) models: BTreeMap<String, Spent>,
}

impl Account {
    /// Records a result. A result of a process includes the earlier results of that process; the first result of a
    /// resumed session starts again from zero.
    pub(super) fn record(&mut self, reported: Reported, result: Option<u64>) {
        let is_new = match (self.result, result) {
            (Some(last), Some(this)) => this <= last,
            _ => reported.cost_usd < self.now.cost_usd,
        };
        if is_new {
            self.before.add(std::mem::take(&mut self.now));
        }
        self.now = reported;
        self.result = result;
    }
}

impl Reported {
    fn add(&mut self, other: Self) {
        self.cost_usd += other.cost_usd;
        for (model, spent) in other.models {
            *self.models.entry(model).or_default() += spent;
        }
    }
}
