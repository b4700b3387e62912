//! Questions to the user: elicitations of MCP servers, and dialogs of the CLI.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::wire::{Typed, view};

view! {
    /// The fields of an [`ElicitationRequest`].
    pub struct ElicitationFields {
        /// The name of the server.
        mcp_server_name: String,
        /// The question.
        message: String,
        /// How the user answers: `form`, or `url` if the user answers on a web page.
        mode: Option<String>,
        /// The web page, in mode `url`.
        url: Option<String>,
        /// The id of the elicitation.
        elicitation_id: Option<String>,
        /// The JSON Schema of the answer: a flat object.
        requested_schema: Option<Value>,
        /// The order in which to show its properties.
        property_order: Option<Vec<String>>,
        /// The title to show.
        title: Option<String>,
        /// The name of the server to show.
        display_name: Option<String>,
        /// The description to show.
        description: Option<String>,
    }

    /// The fields of a [`DialogRequest`].
    pub struct DialogFields {
        /// The kind of dialog. The CLI only sends kinds that were passed to
        /// [`Agent::user_dialog`](crate::Agent::user_dialog).
        dialog_kind: String,
        /// The content of the dialog.
        payload: Value,
        /// The tool use that it belongs to.
        tool_use_id: Option<String>,
    }
}

/// An elicitation of an MCP server.
pub type ElicitationRequest = Typed<ElicitationFields>;

/// A dialog that the CLI wants to show.
pub type DialogRequest = Typed<DialogFields>;

/// The answer to an [`ElicitationRequest`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ElicitationAnswer {
    /// The user answered.
    Accept {
        /// The answer; `None` in mode `url`.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Map<String, Value>>,
    },
    /// The user declined.
    Decline,
    /// The user dismissed the question without answering.
    Cancel,
}

/// The answer to a [`DialogRequest`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase")]
#[non_exhaustive]
pub enum DialogAnswer {
    /// The user completed the dialog.
    Completed {
        /// The answer of the user.
        result: Value,
    },
    /// The user closed the dialog, or it could not be shown.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_serialize_to_the_format_of_the_protocol() {
        let content = json!({"name": "x"}).as_object().cloned();
        let to_value = |answer: &ElicitationAnswer| serde_json::to_value(answer).expect("serialises");
        assert_eq!(to_value(&ElicitationAnswer::Accept { content }), json!({"action": "accept", "content": {"name": "x"}}));
        assert_eq!(to_value(&ElicitationAnswer::Accept { content: None }), json!({"action": "accept"}));
        assert_eq!(to_value(&ElicitationAnswer::Decline), json!({"action": "decline"}));
        assert_eq!(serde_json::to_value(DialogAnswer::Cancelled).expect("serialises"), json!({"behavior": "cancelled"}));
    }
}
