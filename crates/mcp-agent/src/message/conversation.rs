//! Messages of the model and messages to it.

use serde_json::Value;

use super::content::Content;
use super::detail::{MessageContextUsage, PromptOrigin, UsageSnapshot};
use super::usage::Usage;
use crate::wire::{view, words};

view! {
    /// A content block of an answer of the model.
    ///
    /// An answer of several blocks is sent as several messages with the same `message.id`, each with one block. The
    /// stop reason is not part of this message: it is in the result and, with partial messages, in the stream.
    pub struct Assistant {
        /// The message of the model.
        message: ModelMessage,
        /// The id of the tool use that started the sub-agent. `None` in the main agent.
        parent_tool_use_id: Option<String>,
        /// The kind of error, if the request failed and this is not a real answer.
        error: Option<AssistantError>,
        /// The id of the API request.
        request_id: Option<String>,
        /// The id of the prompt that it answers.
        user_message_uuid: Option<String>,
        /// The ids of the prompts that it answers, if the CLI merged several.
        user_message_uuids: Option<Vec<String>>,
        /// Why the turn was resumed.
        resume_reason: Option<String>,
        /// Whether the answer continues from thinking that was cut off.
        resumed_from_incomplete_thinking: Option<bool>,
        /// Ids of the messages that this one replaces.
        supersedes: Option<Vec<String>>,
        /// Whether the answer was cut off.
        aborted: Option<bool>,
        /// The id of the sub-agent.
        agent_id: Option<String>,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// The task of the sub-agent.
        task_description: Option<String>,
        /// The time, in ISO 8601.
        timestamp: Option<String>,
        /// The usage of the context window.
        context_usage: Option<MessageContextUsage>,
        /// The usage so far.
        usage_report: Option<UsageSnapshot>,
        /// How to display the tool uses.
        tool_use_meta: Option<Vec<Value>>,
    }

    /// A message of the model, in the format of the API.
    pub struct ModelMessage {
        /// The id, which is the same for all blocks of one answer.
        id: String,
        /// The name of the model.
        model: String,
        /// The content block.
        content: Content,
        /// Always `None` in this message.
        stop_reason: Option<String>,
        /// The usage at the start of the answer.
        usage: Usage,
    }

    /// A message to the model: a prompt or tool results.
    pub struct User {
        /// The content of the message.
        message: UserContent,
        /// The id of the tool use that started the sub-agent. `None` in the main agent.
        parent_tool_use_id: Option<String>,
        /// Whether the CLI created it, instead of the user.
        #[serde(rename = "isSynthetic")]
        is_synthetic: Option<bool>,
        /// Whether the message repeats a prompt that was sent.
        #[serde(rename = "isReplay")]
        is_replay: Option<bool>,
        /// The structured result of the tool.
        tool_use_result: Option<Value>,
        /// The priority of the prompt.
        priority: Option<String>,
        /// The origin of the prompt.
        origin: Option<PromptOrigin>,
        /// Whether the prompt starts a turn.
        #[serde(rename = "shouldQuery")]
        should_query: Option<bool>,
        /// The time, in ISO 8601.
        timestamp: Option<String>,
        /// Whether the text is used verbatim.
        client_composed: Option<bool>,
        /// Content that was pasted into the prompt.
        pasted_content: Option<Vec<Value>>,
        /// Text that was pasted inline.
        inline_pastes: Option<Vec<String>>,
        /// Files attached to the prompt.
        file_attachments: Option<Vec<Value>>,
        /// The id of the sub-agent.
        agent_id: Option<String>,
        /// The type of the sub-agent.
        subagent_type: Option<String>,
        /// The task of the sub-agent.
        task_description: Option<String>,
        /// How permission was given for the tool uses.
        tool_result_meta: Option<Vec<Value>>,
    }

    /// A message to the model, in the format of the API.
    pub struct UserContent {
        /// Text or blocks.
        content: Content,
    }
}

words! {
    /// Why there is no real answer.
    pub enum AssistantError {
        /// The API key or token was rejected.
        AuthenticationFailed = "authentication_failed",
        /// The organization does not allow this way of authentication.
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        /// The account is on hold.
        AccountOnHold = "account_on_hold",
        /// The account must be verified.
        VerificationRequired = "verification_required",
        /// There is a billing problem.
        BillingError = "billing_error",
        /// Too many requests.
        RateLimit = "rate_limit",
        /// The API is overloaded.
        Overloaded = "overloaded",
        /// The API rejected the request.
        InvalidRequest = "invalid_request",
        /// The model does not exist.
        ModelNotFound = "model_not_found",
        /// The API failed.
        ServerError = "server_error",
        /// The cause is unknown.
        Unknown = "unknown",
        /// The answer reached the limit of output tokens.
        MaxOutputTokens = "max_output_tokens",
        /// The credentials of the cloud provider were rejected.
        CloudCredentialError = "cloud_credential_error",
    }
}
