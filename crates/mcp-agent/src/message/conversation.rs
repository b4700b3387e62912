//! The two sides of the conversation.

use serde_json::Value;

use super::content::Content;
use super::usage::Usage;
use crate::wire::{view, words};

view! {
    /// A content block of the model's answer.
    ///
    /// An answer of several blocks comes as several messages with the same `message.id`, each of one block. Why the
    /// answer stopped is not said here but in the result (or, with partial messages, in the stream).
    pub struct Assistant {
        /// What the model said.
        message: ModelMessage,
        /// In a sub-agent: the tool use that started it.
        parent_tool_use_id: Option<String>,
        /// Why there is no real answer, when the request failed.
        error: Option<AssistantError>,
        /// The id of the request at the API.
        request_id: Option<String>,
        /// The prompt that it answers.
        user_message_uuid: Option<String>,
        /// The prompts that it answers, when several were taken together.
        user_message_uuids: Option<Vec<String>>,
        /// Why the turn was resumed.
        resume_reason: Option<String>,
        /// Whether it goes on from thinking that was cut off.
        resumed_from_incomplete_thinking: Option<bool>,
        /// Messages that this one replaces.
        supersedes: Option<Vec<String>>,
        /// Whether the answer was cut off.
        aborted: Option<bool>,
        /// The sub-agent.
        agent_id: Option<String>,
        /// What kind of sub-agent.
        subagent_type: Option<String>,
        /// What the sub-agent was asked to do.
        task_description: Option<String>,
        /// When, in ISO 8601.
        timestamp: Option<String>,
        /// How full the context is.
        context_usage: Option<Value>,
        /// What has been used so far.
        usage_report: Option<Value>,
        /// How to show the tool uses to a person.
        tool_use_meta: Option<Vec<Value>>,
    }

    /// A message of the model as the API has it.
    pub struct ModelMessage {
        /// The id, shared by all blocks of one answer.
        id: String,
        /// Which model.
        model: String,
        /// The block.
        content: Content,
        /// Always `None` on this path.
        stop_reason: Option<String>,
        /// What was used when the answer began.
        usage: Usage,
    }

    /// What is said to the model.
    pub struct User {
        /// What is said.
        message: UserContent,
        /// In a sub-agent: the tool use that started it.
        parent_tool_use_id: Option<String>,
        /// Whether the CLI said it, not a person.
        #[serde(rename = "isSynthetic")]
        is_synthetic: Option<bool>,
        /// Whether it repeats a prompt that was sent.
        #[serde(rename = "isReplay")]
        is_replay: Option<bool>,
        /// What the tool gave back, as the tool has it.
        tool_use_result: Option<Value>,
        /// How urgent the prompt is.
        priority: Option<String>,
        /// Where the prompt comes from.
        origin: Option<Value>,
        /// Whether the prompt starts a turn.
        #[serde(rename = "shouldQuery")]
        should_query: Option<bool>,
        /// When, in ISO 8601.
        timestamp: Option<String>,
        /// Whether the text is to be taken as it is.
        client_composed: Option<bool>,
        /// What was pasted into the prompt.
        pasted_content: Option<Vec<Value>>,
        /// What was pasted in line.
        inline_pastes: Option<Vec<String>>,
        /// Files that came with the prompt.
        file_attachments: Option<Vec<Value>>,
        /// The sub-agent.
        agent_id: Option<String>,
        /// What kind of sub-agent.
        subagent_type: Option<String>,
        /// What the sub-agent was asked to do.
        task_description: Option<String>,
        /// How the tool uses were permitted.
        tool_result_meta: Option<Vec<Value>>,
    }

    /// A message to the model as the API has it.
    pub struct UserContent {
        /// Text or blocks.
        content: Content,
    }
}

words! {
    /// Why there is no real answer.
    pub enum AssistantError {
        /// The key or token was not accepted.
        AuthenticationFailed = "authentication_failed",
        /// The organisation does not allow signing in this way.
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        /// The account is on hold.
        AccountOnHold = "account_on_hold",
        /// The account must be verified.
        VerificationRequired = "verification_required",
        /// There is a problem with paying.
        BillingError = "billing_error",
        /// Too many requests.
        RateLimit = "rate_limit",
        /// The API is overloaded.
        Overloaded = "overloaded",
        /// The API refused the request.
        InvalidRequest = "invalid_request",
        /// There is no such model.
        ModelNotFound = "model_not_found",
        /// The API failed.
        ServerError = "server_error",
        /// The CLI does not know.
        Unknown = "unknown",
        /// The answer was too long.
        MaxOutputTokens = "max_output_tokens",
        /// The cloud provider's credentials failed.
        CloudCredentialError = "cloud_credential_error",
    }
}
