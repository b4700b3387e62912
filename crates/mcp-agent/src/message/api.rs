//! What the CLI tells of the model's API and the account.

use serde_json::Value;

use super::conversation::AssistantError;
use crate::wire::view;

view! {
    /// A failed request to the model is tried again.
    pub struct ApiRetry {
        /// Which attempt failed.
        attempt: u64,
        /// How many there may be.
        max_retries: u64,
        /// How long until the next.
        retry_delay_ms: f64,
        /// The HTTP status, if there was an answer.
        error_status: Option<u16>,
        /// What went wrong.
        error: AssistantError,
        /// How long was waited in vain.
        no_response: Option<Value>,
    }

    /// The model refused and another one took over.
    pub struct ModelRefusalFallback {
        /// What caused it.
        trigger: String,
        /// `retry`, `revert` or `sticky`.
        direction: String,
        /// For the session or only here.
        scope: Option<String>,
        /// The model that refused.
        original_model: String,
        /// The model that took over.
        fallback_model: String,
        /// The request at the API.
        request_id: Option<String>,
        /// Why, as a category.
        api_refusal_category: Option<String>,
        /// Why, in words.
        api_refusal_explanation: Option<String>,
        /// Messages that no longer count.
        retracted_message_uuids: Option<Vec<String>>,
        /// The prompt.
        refused_user_message_uuid: Option<String>,
        /// What to tell a person.
        content: String,
    }

    /// The model refused and no other one took over.
    pub struct ModelRefusalNoFallback {
        /// The model that refused.
        original_model: String,
        /// The request at the API.
        request_id: Option<String>,
        /// Why, as a category.
        api_refusal_category: Option<String>,
        /// Why, in words.
        api_refusal_explanation: Option<String>,
        /// The prompt.
        refused_user_message_uuid: Option<String>,
        /// What to tell a person.
        content: String,
    }

    /// Where the account stands with its rate limits.
    pub struct RateLimit {
        /// The details.
        rate_limit_info: RateLimitInfo,
    }

    /// The details of a rate limit.
    pub struct RateLimitInfo {
        /// `allowed`, `allowed_warning` or `rejected`.
        status: String,
        /// When it starts anew, in seconds since 1970.
        #[serde(rename = "resetsAt")]
        resets_at: Option<f64>,
        /// Which limit.
        #[serde(rename = "rateLimitType")]
        rate_limit_type: Option<String>,
        /// How much of it is used.
        utilization: Option<f64>,
        /// How it is with paying for more.
        #[serde(rename = "overageStatus")]
        overage_status: Option<String>,
        /// Whether more is being paid for.
        #[serde(rename = "isUsingOverage")]
        is_using_overage: Option<bool>,
    }

    /// How signing in proceeds.
    pub struct AuthStatus {
        /// Whether it is going on.
        #[serde(rename = "isAuthenticating")]
        is_authenticating: bool,
        /// What to show a person.
        output: Vec<String>,
        /// What went wrong.
        error: Option<String>,
    }
}
