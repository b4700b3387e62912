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
    /// The number of input tokens, without cached ones.
    pub input_tokens: u64,
    /// The number of output tokens.
    pub output_tokens: u64,
    /// The number of tokens written to the cache.
    pub cache_creation_input_tokens: u64,
    /// The tokens written to the cache, by how long they are kept.
    pub cache_creation: CacheCreation,
    /// The number of tokens read from the cache.
    pub cache_read_input_tokens: u64,
    /// Uses of tools that the API runs.
    pub server_tool_use: ServerToolUse,
    /// The speed of the reply.
    pub speed: Speed,
    /// Where the model ran.
    pub inference_geo: Region,
}

/// The tokens written to the cache, by how long they are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CacheCreation {
    /// The number of tokens that were written to the prompt cache for 5 minutes.
    pub ephemeral_5m_input_tokens: u64,
    /// The number of tokens that were written to the prompt cache for 1 hour.
    pub ephemeral_1h_input_tokens: u64,
}

/// Uses of tools that the API runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ServerToolUse {
    /// The number of web searches.
    pub web_search_requests: u64,
}

/// The speed of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Speed {
    /// The usual speed.
    #[default]
    Standard,
    /// Fast mode.
    Fast,
}

/// Where a model ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Region {
    /// The model may have run anywhere.
    #[default]
    #[serde(rename = "")]
    Any,
    /// The model ran in the US.
    #[serde(rename = "us")]
    Us,
}

impl Usage {
    /// Creates token counts without cached tokens.
    #[must_use]
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self { input_tokens, output_tokens, ..Self::default() }
    }

    /// Sets the number of tokens written to the cache for 5 minutes.
    #[must_use]
    pub fn cache_creation(mut self, tokens: u64) -> Self {
        self.cache_creation.ephemeral_5m_input_tokens = tokens;
        self.with_cache_total()
    }

    /// Sets the number of tokens written to the cache for 1 hour.
    #[must_use]
    pub fn cache_creation_1h(mut self, tokens: u64) -> Self {
        self.cache_creation.ephemeral_1h_input_tokens = tokens;
        self.with_cache_total()
    }

    /// Sets the number of web searches.
    #[must_use]
    pub fn web_searches(mut self, searches: u64) -> Self {
        self.server_tool_use.web_search_requests = searches;
        self
    }

    /// Reports the reply as produced in fast mode.
    #[must_use]
    pub fn fast(mut self) -> Self {
        self.speed = Speed::Fast;
        self
    }

    /// Reports that the model ran in the US only.
    #[must_use]
    pub fn us_only(mut self) -> Self {
        self.inference_geo = Region::Us;
        self
    }

    /// Sets the number of tokens read from the cache.
    #[must_use]
    pub fn cache_read(mut self, tokens: u64) -> Self {
        self.cache_read_input_tokens = tokens;
        self
    }

    fn with_cache_total(mut self) -> Self {
        let CacheCreation { ephemeral_5m_input_tokens, ephemeral_1h_input_tokens } = self.cache_creation;
        self.cache_creation_input_tokens = ephemeral_5m_input_tokens + ephemeral_1h_input_tokens;
        self
    }

    pub(crate) fn is_standard(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            input_tokens: 10,
            output_tokens: 20,
            cache_creation_input_tokens: 0,
            cache_creation: CacheCreation::default(),
            cache_read_input_tokens: 0,
            server_tool_use: ServerToolUse::default(),
            speed: Speed::default(),
            inference_geo: Region::default(),
        }
    }
}
