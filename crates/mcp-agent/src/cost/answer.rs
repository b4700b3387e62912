//! The usage of one answer of a model: everything that its price depends on.

use super::tokens::Tokens;
use crate::message::Usage;

/// The usage of one answer of a model: everything that its price depends on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswerUsage {
    /// Tokens.
    pub tokens: Tokens,
    /// The number of web searches.
    pub web_searches: u64,
    /// Whether the answer was produced in fast mode.
    pub fast: bool,
    /// Whether the model ran in the US only, which has a surcharge.
    pub us_only: bool,
}

impl AnswerUsage {
    /// Combines two reports on the same answer.
    pub(super) fn at_least(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.at_least(other.tokens),
            web_searches: self.web_searches.max(other.web_searches),
            fast: self.fast || other.fast,
            us_only: self.us_only || other.us_only,
        }
    }

    /// Returns whether there is nothing to pay for.
    pub(super) fn is_nothing(&self) -> bool {
        self.tokens.total() == 0 && self.web_searches == 0
    }
}

impl From<Tokens> for AnswerUsage {
    fn from(tokens: Tokens) -> Self {
        Self { tokens, ..Self::default() }
    }
}

impl From<&Usage> for AnswerUsage {
    fn from(usage: &Usage) -> Self {
        Self {
            tokens: Tokens::from(usage),
            web_searches: usage.server_tool_use.as_ref().map_or(0, |used| used.web_search_requests),
            fast: usage.speed.as_deref() == Some("fast"),
            us_only: usage.inference_geo.as_deref() == Some("us"),
        }
    }
}
