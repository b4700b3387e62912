//! Usage of tokens, and cost.

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
        /// The tokens written to the cache, by how long they are kept there.
        cache_creation: CacheCreation,
        /// Tokens read from the cache.
        cache_read_input_tokens: u64,
        /// The service tier.
        service_tier: Option<String>,
        /// Uses of tools that the API runs.
        server_tool_use: Option<ServerToolUse>,
        /// The speed: `fast` in fast mode, which has other prices.
        speed: Option<String>,
        /// The region of the model. `us` has a surcharge.
        inference_geo: Option<String>,
    }

    /// The tokens written to the cache, by how long they are kept there. Both are part of the total.
    pub struct CacheCreation {
        /// Tokens that are kept for 5 minutes.
        ephemeral_5m_input_tokens: u64,
        /// Tokens that are kept for 1 hour. They cost more.
        ephemeral_1h_input_tokens: u64,
    }

    /// Uses of tools that the API runs.
    pub struct ServerToolUse {
        /// The number of web searches. Each has a price.
        web_search_requests: u64,
        /// The number of fetched pages.
        web_fetch_requests: u64,
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
        /// Those of the tokens written to the cache that are kept for 5 minutes.
        #[serde(rename = "cacheCreationEphemeral5mInputTokens")]
        cache_creation_5m_input_tokens: u64,
        /// Those of the tokens written to the cache that are kept for 1 hour.
        #[serde(rename = "cacheCreationEphemeral1hInputTokens")]
        cache_creation_1h_input_tokens: u64,
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
        /// The name of the model in the price list of the CLI.
        #[serde(rename = "canonicalModel")]
        canonical_model: Option<String>,
        /// The provider of the model.
        provider: Option<String>,
        /// Where the prices come from: `list`, or `unknown` if the CLI does not know the model and assumed the prices of
        /// another one.
        #[serde(rename = "costBasis")]
        cost_basis: Option<String>,
    }
}
