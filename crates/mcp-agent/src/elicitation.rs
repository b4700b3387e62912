//! Questions to a person: a server's elicitation and the CLI's own dialogs.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::wire::{Typed, view};

view! {
    /// What a server asks.
    pub struct ElicitationFields {
        /// The server.
        mcp_server_name: String,
        /// The question.
        message: String,
        /// `form`, or `url` when the answer is given elsewhere.
        mode: Option<String>,
        /// Where it is given.
        url: Option<String>,
        /// Which elicitation.
        elicitation_id: Option<String>,
        /// What an answer looks like, as a JSON Schema of a flat object.
        requested_schema: Option<Value>,
        /// In which order to show its properties.
        property_order: Option<Vec<String>>,
        /// A title to show.
        title: Option<String>,
        /// The server's name to show.
        display_name: Option<String>,
        /// What it is about, to show.
        description: Option<String>,
    }

    /// What the CLI wants to be shown.
    pub struct DialogFields {
        /// Which dialog; only kinds that were announced come.
        dialog_kind: String,
        /// What it is about.
        payload: Value,
        /// The tool use that it belongs to.
        tool_use_id: Option<String>,
    }
}

/// A server asks the user something.
pub type ElicitationRequest = Typed<ElicitationFields>;

/// The CLI wants a dialog to be shown.
pub type DialogRequest = Typed<DialogFields>;

/// The answer to an [`ElicitationRequest`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ElicitationAnswer {
    /// Here it is.
    Accept {
        /// What was asked for; nothing where the answer is given elsewhere.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Map<String, Value>>,
    },
    /// No.
    Decline,
    /// The question was closed without an answer.
    Cancel,
}

/// The answer to a [`DialogRequest`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase")]
#[non_exhaustive]
pub enum DialogAnswer {
    /// The user is through with it.
    Completed {
        /// What he said.
        result: Value,
    },
    /// The user closed it, or nobody could be asked.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_have_the_form_of_the_wire() {
        let content = json!({"name": "x"}).as_object().cloned();
        let to_value = |answer: &ElicitationAnswer| serde_json::to_value(answer).expect("serialises");
        assert_eq!(to_value(&ElicitationAnswer::Accept { content }), json!({"action": "accept", "content": {"name": "x"}}));
        assert_eq!(to_value(&ElicitationAnswer::Accept { content: None }), json!({"action": "accept"}));
        assert_eq!(to_value(&ElicitationAnswer::Decline), json!({"action": "decline"}));
        assert_eq!(serde_json::to_value(DialogAnswer::Cancelled).expect("serialises"), json!({"behavior": "cancelled"}));
    }
}
