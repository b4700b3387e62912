//! How a turn ends and what it costs.

use serde::{Deserialize, Serialize};

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model had said what it had to say.
    EndTurn,
    /// The model waits for the results of tools.
    ToolUse,
    /// The reply reached its limit of tokens.
    MaxTokens,
    /// The reply reached a stop sequence.
    StopSequence,
    /// The API paused a long turn, to be continued by the client.
    PauseTurn,
    /// The model refused.
    Refusal,
    /// The conversation no longer fits the context window.
    ModelContextWindowExceeded,
}

/// The token counts that a turn reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens read, without those of the cache.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens put into the cache.
    pub cache_creation_input_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_input_tokens: u64,
}

impl Usage {
    /// So many tokens read and written, and no cache.
    #[must_use]
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, ..Self::default() }
    }

    /// Tokens put into the cache.
    #[must_use]
    pub fn cache_creation(mut self, tokens: u64) -> Self {
        self.cache_creation_input_tokens = tokens;
        self
    }

    /// Tokens read from the cache.
    #[must_use]
    pub fn cache_read(mut self, tokens: u64) -> Self {
        self.cache_read_input_tokens = tokens;
        self
    }

    pub(crate) fn is_standard(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Usage {
    fn default() -> Self {
        Self { input_tokens: 10, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    }
}
