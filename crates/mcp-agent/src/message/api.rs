//! Messages about the API and the account.

use super::conversation::AssistantError;
use super::detail::NoResponse;
use crate::wire::view;

view! {
    /// A failed API request is retried.
    pub struct ApiRetry {
        /// The number of the failed attempt.
        attempt: u64,
        /// The maximum number of attempts.
        max_retries: u64,
        /// The delay before the next attempt.
        retry_delay_ms: f64,
        /// The HTTP status, if there was a response.
        error_status: Option<u16>,
        /// The kind of error.
        error: AssistantError,
        /// How long the CLI waited without a response.
        no_response: Option<NoResponse>,
    }

    /// The model refused to answer and a fallback model took over.
    pub struct ModelRefusalFallback {
        /// What caused the fallback.
        trigger: String,
        /// What happens to the model: `retry`, `revert` or `sticky`.
        direction: String,
        /// Whether the fallback applies to the session or only to this answer.
        scope: Option<String>,
        /// The model that refused to answer.
        original_model: String,
        /// The name of the fallback model.
        fallback_model: String,
        /// The id of the API request.
        request_id: Option<String>,
        /// The category of the refusal.
        api_refusal_category: Option<String>,
        /// The explanation of the refusal.
        api_refusal_explanation: Option<String>,
        /// Ids of messages that are retracted.
        retracted_message_uuids: Option<Vec<String>>,
        /// The id of the prompt.
        refused_user_message_uuid: Option<String>,
        /// The text to show to the user.
        content: String,
    }

    /// The model refused to answer and there was no fallback model.
    pub struct ModelRefusalNoFallback {
        /// The model that refused to answer.
        original_model: String,
        /// The id of the API request.
        request_id: Option<String>,
        /// The category of the refusal.
        api_refusal_category: Option<String>,
        /// The explanation of the refusal.
        api_refusal_explanation: Option<String>,
        /// The id of the prompt.
        refused_user_message_uuid: Option<String>,
        /// The text to show to the user.
        content: String,
    }

    /// The state of the rate limits of the account.
    pub struct RateLimit {
        /// The state of the limit.
        rate_limit_info: RateLimitInfo,
    }

    /// The details of a rate limit.
    pub struct RateLimitInfo {
        /// The state of the limit: `allowed`, `allowed_warning` or `rejected`.
        status: String,
        /// When the limit resets, in seconds since 1970.
        #[serde(rename = "resetsAt")]
        resets_at: Option<f64>,
        /// The type of limit.
        #[serde(rename = "rateLimitType")]
        rate_limit_type: Option<String>,
        /// The used fraction of the limit.
        utilization: Option<f64>,
        /// The state of paid overage.
        #[serde(rename = "overageStatus")]
        overage_status: Option<String>,
        /// When the limit of paid overage resets, in seconds since 1970.
        #[serde(rename = "overageResetsAt")]
        overage_resets_at: Option<f64>,
        /// Why there is no paid overage.
        #[serde(rename = "overageDisabledReason")]
        overage_disabled_reason: Option<String>,
        /// Whether this request used paid overage.
        #[serde(rename = "isUsingOverage")]
        is_using_overage: Option<bool>,
        /// Whether paid overage is in use.
        #[serde(rename = "overageInUse")]
        overage_in_use: Option<bool>,
        /// Whether paid overage is on.
        #[serde(rename = "overageEnabled")]
        overage_enabled: Option<bool>,
        /// The threshold of a warning that was passed, as a fraction of the limit.
        #[serde(rename = "surpassedThreshold")]
        surpassed_threshold: Option<f64>,
        /// What the limit applies to: `service`, `channel` or `group_pool`.
        #[serde(rename = "limitScope")]
        limit_scope: Option<String>,
        /// The error code of a rejected request.
        #[serde(rename = "errorCode")]
        error_code: Option<String>,
        /// Whether the user can buy more.
        #[serde(rename = "canUserPurchaseCredits")]
        can_user_purchase_credits: Option<bool>,
        /// Whether a way to pay is stored.
        #[serde(rename = "hasChargeableSavedPaymentMethod")]
        has_chargeable_saved_payment_method: Option<bool>,
    }

    /// The progress of authentication.
    pub struct AuthStatus {
        /// Whether authentication is in progress.
        #[serde(rename = "isAuthenticating")]
        is_authenticating: bool,
        /// The lines to show to the user.
        output: Vec<String>,
        /// The error message.
        error: Option<String>,
    }
}
