//! Usage of tokens, and cost.

use crate::wire::{Members, view};

view! {
    /// Token usage.
    pub struct Usage checked by Usage::check {
        /// The number of input tokens that were not read from the cache.
        input_tokens: u64,
        /// The number of output tokens.
        output_tokens: u64,
        /// The number of tokens written to the cache.
        cache_creation_input_tokens: u64,
        /// The tokens written to the cache, by how long they are kept there.
        cache_creation: CacheCreation,
        /// The number of tokens read from the cache.
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
        /// The number of tokens that were written to the prompt cache for 5 minutes.
        ephemeral_5m_input_tokens: u64,
        /// The number of tokens that were written to the prompt cache for 1 hour. They cost more than those for 5 minutes.
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
    pub struct ModelUsage checked by ModelUsage::check {
        /// The number of input tokens.
        #[serde(rename = "inputTokens")]
        input_tokens: u64,
        /// The number of output tokens.
        #[serde(rename = "outputTokens")]
        output_tokens: u64,
        /// The number of thinking tokens, which are part of the output tokens.
        #[serde(rename = "thinkingTokens")]
        thinking_tokens: Option<u64>,
        /// The number of tokens read from the cache.
        #[serde(rename = "cacheReadInputTokens")]
        cache_read_input_tokens: u64,
        /// The number of tokens written to the cache.
        #[serde(rename = "cacheCreationInputTokens")]
        cache_creation_input_tokens: u64,
        /// The number of tokens that were written to the prompt cache for 5 minutes.
        #[serde(rename = "cacheCreationEphemeral5mInputTokens")]
        cache_creation_5m_input_tokens: u64,
        /// The number of tokens that were written to the prompt cache for 1 hour.
        #[serde(rename = "cacheCreationEphemeral1hInputTokens")]
        cache_creation_1h_input_tokens: u64,
        /// The number of web searches.
        #[serde(rename = "webSearchRequests")]
        web_search_requests: u64,
        /// The cost in US dollars. Infinite if the CLI reports something that is not a number.
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

/// Sets a count to its maximum if its JSON value is not a number: it must not look as if there was nothing to pay for.
fn check_count(count: &mut u64, members: &Members<'_>, name: &str) {
    if members.is_mistyped::<u64>(name) {
        *count = u64::MAX;
    }
}

impl Usage {
    fn check(&mut self, members: &Members<'_>) {
        check_count(&mut self.input_tokens, members, "input_tokens");
        check_count(&mut self.output_tokens, members, "output_tokens");
        check_count(&mut self.cache_creation_input_tokens, members, "cache_creation_input_tokens");
        check_count(&mut self.cache_read_input_tokens, members, "cache_read_input_tokens");
    }
}

impl ModelUsage {
    fn check(&mut self, members: &Members<'_>) {
        if members.is_mistyped::<f64>("costUSD") {
            self.cost_usd = f64::INFINITY;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cost::{Budget, Spending};
    use crate::message::Message;
    use serde_json::json;

    #[test]
    fn a_cost_that_is_not_a_number_is_over_every_budget() {
        let results = [
            json!({"type": "result", "session_id": "s", "total_cost_usd": {}}),
            json!({"type": "result", "session_id": "s", "total_cost_usd": 1, "model_usage_since_last_result": {"m": {"costUSD": []}}}),
            json!({"type": "assistant", "message": {"id": "1", "model": "claude-opus-5", "usage": {"output_tokens": {}}}}),
        ];
        for result in results {
            let message: Message = serde_json::from_str(&result.to_string()).expect("a message");
            let spending = Budget::usd(1000.0).feed(&message).expect("priced");
            assert!(matches!(spending, Spending::Over(_)), "{result}: {spending:?}");
        }
    }

    #[test]
    fn a_result_that_says_neither_success_nor_failure_is_a_failure() {
        let is_error = |value| {
            let result = json!({"type": "result", "subtype": "success", "is_error": value}).to_string();
            let Ok(Message::Result(result)) = serde_json::from_str(&result) else { panic!("a result") };
            result.is_error
        };
        assert!(is_error(json!({})) && is_error(json!(1)) && is_error(json!(null)) && is_error(json!("true")));
        assert!(!is_error(json!(false)) && !is_error(json!("false")));
    }
}
