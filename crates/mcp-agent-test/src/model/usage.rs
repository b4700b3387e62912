//! Stop reasons and token counts.

use serde::{Deserialize, Serialize};

/// Why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The reply is complete.
    EndTurn,
    /// The model waits for tool results.
    ToolUse,
    /// The reply reached the token limit.
    MaxTokens,
    /// The reply reached a stop sequence.
    StopSequence,
    /// The API paused a long turn. The client continues it.
    PauseTurn,
    /// The model refused to answer.
    Refusal,
    /// The conversation exceeds the context window.
    ModelContextWindowExceeded,
}

/// The token counts that a turn reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Input tokens, without cached ones.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Tokens written to the cache.
    pub cache_creation_input_tokens: u64,
    /// Tokens read from the cache.
    pub cache_read_input_tokens: u64,
}

impl Usage {
    /// Creates token counts without cached tokens.
    #[must_use]
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, ..Self::default() }
    }

    /// Sets the number of tokens written to the cache.
    #[must_use]
    pub fn cache_creation(mut self, tokens: u64) -> Self {
        self.cache_creation_input_tokens = tokens;
        self
    }

    /// Sets the number of tokens read from the cache.
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
