//! What sessions told of their cost, each process of them from its own beginning.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::tokens::Tokens;

/// What was used of one model, and what it cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Spent {
    /// Tokens.
    pub tokens: Tokens,
    /// US dollars, as the CLI tells them.
    pub cost_usd: f64,
    /// Web searches.
    pub web_searches: u64,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.cost_usd += other.cost_usd;
        self.web_searches = self.web_searches.saturating_add(other.web_searches);
    }
}

/// What one session told: its process of now, and those before it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Account {
    pub(super) before: Told,
    pub(super) now: Told,
    result: Option<u64>,
}

/// What one process told.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Told {
    pub(super) cost_usd: f64,
    pub(super) models: BTreeMap<String, Spent>,
}

impl Account {
    /// Results of one process include those before them; the first of a resumed session begins anew.
    pub(super) fn tell(&mut self, told: Told, result: Option<u64>) {
        let is_new = match (self.result, result) {
            (Some(last), Some(this)) => this <= last,
            _ => told.cost_usd < self.now.cost_usd,
        };
        if is_new {
            self.before.add(std::mem::take(&mut self.now));
        }
        self.now = told;
        self.result = result;
    }
}

impl Told {
    fn add(&mut self, other: Self) {
        self.cost_usd += other.cost_usd;
        for (model, spent) in other.models {
            *self.models.entry(model).or_default() += spent;
        }
    }
}
