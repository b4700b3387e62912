//! The results of the tools for services of Anthropic.

use serde_json::{Map, Value};

use crate::builtin::tool_types;

tool_types! {
    /// The result of the design tool.
    #[serde(rename_all = "camelCase")]
    pub struct ClaudeDesignOutput {
        /// The name of the operation.
        operation: String,
        /// The content for the model.
        content: Vec<Map<String, Value>>,
        ;
        /// Whether the operation failed.
        is_error: bool,
    }

    /// The result of sending feedback.
    pub struct SendFeedbackOutput {
        /// Whether the feedback was sent.
        success: bool,
        /// The text for the model.
        message: String,
    }

    /// The role that the user has chosen.
    pub struct ShowOnboardingRolePickerOutput {
        ;
        /// The role.
        role: String,
        /// Whether the user has closed the question.
        dismissed: bool,
    }

    /// Whether the browser was set up.
    pub struct OfferChromeSetupOutput {
        /// The result of the offer: `connected`, `not_now` or `no_attempt_yet`.
        outcome: String,
    }
}
