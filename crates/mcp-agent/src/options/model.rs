//! Which model, and how hard it thinks.

use super::strings;
use crate::agent::Agent;
use crate::wire::words;

/// Which model, and how hard it thinks.
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
    /// How hard the model works.
    pub enum Effort {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
        /// Very much.
        XHigh = "xhigh",
        /// As much as it can.
        Max = "max",
    }

    /// How thinking is shown.
    pub enum ThinkingDisplay {
        /// In short.
        Summarized = "summarized",
        /// Not at all.
        Omitted = "omitted",
    }
}

/// Whether the model thinks before it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Thinking {
    /// As it sees fit.
    Adaptive {
        /// How it is shown.
        display: Option<ThinkingDisplay>,
    },
    /// Within a budget.
    Enabled {
        /// How many tokens.
        budget_tokens: Option<u32>,
        /// How it is shown.
        display: Option<ThinkingDisplay>,
    },
    /// Not.
    Disabled,
}

/// Model
impl Agent {
    /// The model, by name or alias. The CLI takes any name and fails at the first prompt if there is no such model.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.options.model.model = Some(model.into());
        self
    }

    /// The model, or several with commas, to use when the first one is overloaded.
    #[must_use]
    pub fn fallback_model(mut self, model: impl Into<String>) -> Self {
        self.options.model.fallback = Some(model.into());
        self
    }

    /// How hard the model works.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Self {
        self.options.model.effort = Some(effort);
        self
    }

    /// Whether the model thinks before it answers.
    #[must_use]
    pub fn thinking(mut self, thinking: Thinking) -> Self {
        self.options.model.thinking = Some(thinking);
        self
    }

    /// How many tokens the model may think; none with 0. The older form of [`thinking`](Self::thinking), which wins.
    #[must_use]
    pub fn max_thinking_tokens(mut self, tokens: u32) -> Self {
        self.options.model.max_thinking_tokens = Some(tokens);
        self
    }

    /// Betas of the API to switch on.
    #[must_use]
    pub fn betas(mut self, betas: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.model.betas.extend(strings(betas));
        self
    }
}
