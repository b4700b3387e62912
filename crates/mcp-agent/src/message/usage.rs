//! Usage of tokens, and cost.

use serde_json::Value;

use crate::wire::view;

view! {
    /// Token usage.
    pub struct Usage {
        /// Input tokens that were not read from the cache.
        input_tokens: u64,
        /// Output tokens.
        output_tokens: u64,
        /// Tokens written to the cache.
        cache_creation_input_tokens: u64,
        /// Tokens read from the cache.
        cache_read_input_tokens: u64,
        /// The service tier.
        service_tier: Option<String>,
        /// Uses of tools that the API runs.
        server_tool_use: Option<Value>,
    }

    /// The usage of one model.
    pub struct ModelUsage {
        /// Input tokens.
        #[serde(rename = "inputTokens")]
        input_tokens: u64,
        /// Output tokens.
        #[serde(rename = "outputTokens")]
        output_tokens: u64,
        /// Thinking tokens, which are part of the output tokens.
        #[serde(rename = "thinkingTokens")]
        thinking_tokens: Option<u64>,
        /// Tokens read from the cache.
        #[serde(rename = "cacheReadInputTokens")]
        cache_read_input_tokens: u64,
        /// Tokens written to the cache.
        #[serde(rename = "cacheCreationInputTokens")]
        cache_creation_input_tokens: u64,
        /// Number of web searches.
        #[serde(rename = "webSearchRequests")]
        web_search_requests: u64,
        /// The cost in US dollars.
        #[serde(rename = "costUSD")]
        cost_usd: f64,
        /// The size of the context window in tokens.
        #[serde(rename = "contextWindow")]
        context_window: u64,
        /// The maximum number of output tokens of one answer.
        #[serde(rename = "maxOutputTokens")]
        max_output_tokens: u64,
    }
}
