//! What a turn used: tokens and money.

use serde_json::Value;

use crate::wire::view;

view! {
    /// Tokens used.
    pub struct Usage {
        /// Read, beside what came from the cache.
        input_tokens: u64,
        /// Written.
        output_tokens: u64,
        /// Written to the cache.
        cache_creation_input_tokens: u64,
        /// Read from the cache.
        cache_read_input_tokens: u64,
        /// The class of service.
        service_tier: Option<String>,
        /// Uses of tools that the API runs.
        server_tool_use: Option<Value>,
    }

    /// What was used of one model.
    pub struct ModelUsage {
        /// Tokens read.
        #[serde(rename = "inputTokens")]
        input_tokens: u64,
        /// Tokens written.
        #[serde(rename = "outputTokens")]
        output_tokens: u64,
        /// Of those, thinking.
        #[serde(rename = "thinkingTokens")]
        thinking_tokens: Option<u64>,
        /// Tokens read from the cache.
        #[serde(rename = "cacheReadInputTokens")]
        cache_read_input_tokens: u64,
        /// Tokens written to the cache.
        #[serde(rename = "cacheCreationInputTokens")]
        cache_creation_input_tokens: u64,
        /// Web searches.
        #[serde(rename = "webSearchRequests")]
        web_search_requests: u64,
        /// US dollars.
        #[serde(rename = "costUSD")]
        cost_usd: f64,
        /// How much the model can read.
        #[serde(rename = "contextWindow")]
        context_window: u64,
        /// How much the model can write at once.
        #[serde(rename = "maxOutputTokens")]
        max_output_tokens: u64,
    }
}
