//! Options of the model: which one, effort and thinking.

use super::strings;
use crate::agent::Agent;
use crate::wire::words;

/// Options of the model: which one, effort and thinking.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) model: Option<String>,
    pub(crate) fallback: Option<String>,
    pub(crate) effort: Option<Effort>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) max_thinking_tokens: Option<u32>,
    pub(crate) betas: Vec<String>,
}

words! {
    /// The effort level of the model.
    pub enum Effort {
        /// Low effort.
        Low = "low",
        /// Medium effort.
        Medium = "medium",
        /// High effort.
        High = "high",
        /// Very high effort.
        XHigh = "xhigh",
        /// Maximum effort.
        Max = "max",
    }

    /// How thinking is returned.
    pub enum ThinkingDisplay {
        /// Thinking is returned as a summary.
        Summarized = "summarized",
        /// Thinking is not returned.
        Omitted = "omitted",
        /// As titles of one line. Only in sessions that are hosted by Anthropic.
        Highlights = "highlights",
    }
}

/// Whether and how much the model thinks before it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Thinking {
    /// The model decides how much to think.
    Adaptive {
        /// How thinking is returned.
        display: Option<ThinkingDisplay>,
    },
    /// Thinking with a token budget.
    Enabled {
        /// The budget in tokens. `None` is the same as `Adaptive`.
        budget_tokens: Option<u32>,
        /// How thinking is returned.
        display: Option<ThinkingDisplay>,
    },
    /// The model does not think.
    Disabled,
}

/// # Model
impl Agent {
    /// Sets the model, by name or alias. The CLI does not check the name; with an unknown model the first prompt fails.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.options.model.model = Some(model.into());
        self
    }

    /// Sets the model to use if the first one is overloaded; several are separated by commas.
    #[must_use]
    pub fn fallback_model(mut self, model: impl Into<String>) -> Self {
        self.options.model.fallback = Some(model.into());
        self
    }

    /// Sets the effort level.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Self {
        self.options.model.effort = Some(effort);
        self
    }

    /// Sets whether and how much the model thinks before it answers.
    #[must_use]
    pub fn thinking(mut self, thinking: Thinking) -> Self {
        self.options.model.thinking = Some(thinking);
        self
    }

    /// Sets how many tokens the model may use for thinking; 0 disables thinking. A model that always decides by itself how much to
    /// think ignores this. It is the older form of [`thinking`](Self::thinking), which takes precedence.
    #[must_use]
    pub fn max_thinking_tokens(mut self, tokens: u32) -> Self {
        self.options.model.max_thinking_tokens = Some(tokens);
        self
    }

    /// Enables beta features of the API.
    #[must_use]
    pub fn betas(mut self, betas: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.model.betas.extend(strings(betas));
        self
    }
}
