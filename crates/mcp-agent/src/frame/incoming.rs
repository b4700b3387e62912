//! Frames from the CLI.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::id::RequestId;
use crate::message::Message;
use crate::wire::from_object;

/// A frame from the CLI.
#[derive(Debug)]
pub(crate) enum Frame {
    /// A control request of the CLI.
    Request { id: RequestId, request: Box<RawValue> },
    /// The CLI cancels one of its requests.
    Cancel { id: RequestId },
    /// The response to a request that was sent to the CLI. A response to `initialize` also has the questions of the CLI that
    /// nobody has answered yet.
    Response { id: RequestId, answer: Result<Option<Box<RawValue>>, Refusal>, unanswered: Vec<(RequestId, Box<RawValue>)> },
    /// A message of the conversation.
    Message(Message),
    /// Not a frame, or one that needs no action.
    Ignored,
}

/// An error response of the CLI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) code: Option<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Option<&'a RawValue>,
    #[serde(borrow, default)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    request_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    request: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow)]
    request_id: &'a RawValue,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error_code: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pending_permission_requests: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pending_user_dialog_requests: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pending_elicitation_requests: Option<&'a RawValue>,
}

impl Frame {
    /// Parses a line. Never fails: lines that are not a JSON object, keep-alives and responses without an id are
    /// `Ignored`.
    pub(crate) fn parse(line: &[u8]) -> Self {
        let text = String::from_utf8_lossy(line);
        let Ok(head) = from_object::<Head<'_>>(&text) else {
            return Self::Ignored;
        };
        let kind = text_of(head.kind).unwrap_or_default();
        match (kind.as_ref(), head.request_id) {
            ("control_request", Some(id)) => {
                Self::Request { id: RequestId::new(id), request: head.request.unwrap_or(RawValue::NULL).to_owned() }
            }
            ("control_cancel_request", Some(id)) => Self::Cancel { id: RequestId::new(id) },
            ("control_response", _) => head.response.map_or(Self::Ignored, Self::response),
            ("control_request" | "control_cancel_request" | "keep_alive", _) => Self::Ignored,
            (kind, _) => match serde_json::from_str::<&RawValue>(text.trim()) {
                Ok(raw) => Self::Message(Message::new(kind, text_of(head.subtype).as_deref(), raw.to_owned())),
                Err(_) => Self::Ignored,
            },
        }
    }

    fn response(raw: &RawValue) -> Self {
        let Ok(answer) = from_object::<Answer<'_>>(raw.get()) else {
            return Self::Ignored;
        };
        let id = RequestId::new(answer.request_id);
        let unanswered =
            [answer.pending_permission_requests, answer.pending_user_dialog_requests, answer.pending_elicitation_requests];
        let unanswered = unanswered.into_iter().flatten().flat_map(requests).collect();
        let outcome = match text_of(answer.subtype).as_deref() {
            Some("error") => Err(Refusal {
                message: text_of(answer.error).unwrap_or(Cow::Borrowed("no reason given")).into_owned(),
                code: text_of(answer.error_code).map(Cow::into_owned),
            }),
            _ => Ok(answer.response.map(ToOwned::to_owned)),
        };
        Self::Response { id, answer: outcome, unanswered }
    }
}

/// Returns the control requests in a list.
fn requests(list: &RawValue) -> Vec<(RequestId, Box<RawValue>)> {
    let list: Vec<&RawValue> = serde_json::from_str(list.get()).unwrap_or_default();
    let heads = list.into_iter().filter_map(|request| from_object::<Head<'_>>(request.get()).ok());
    heads.filter_map(|head| Some((RequestId::new(head.request_id?), head.request?.to_owned()))).collect()
}

/// Deserializes a field that is present as `Some`, even if it is null.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn text_of(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    serde_json::from_str(raw?.get()).ok().map(Cow::Owned)
}
