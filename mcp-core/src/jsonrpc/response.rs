//! Responses and their JSON.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::tool_body::ToolBody;
use super::{Id, RpcError};

/// The response to a request.
#[derive(Debug)]
pub struct Response {
    pub(crate) to: ResponseId,
    pub(crate) body: Body,
}

/// The id of a response.
#[derive(Clone, Debug)]
pub(crate) enum ResponseId {
    Request(Id),
    /// The id of the request is unknown: `"id": null`.
    Null,
    /// The id of the request is unknown: no `id`, as newer revisions require.
    Absent,
}

/// The content of a response.
#[derive(Debug)]
pub(crate) enum Body {
    Static(&'static str),
    Json(Arc<str>),
    Tool(ToolBody),
    Error(RpcError),
    Batch(Vec<Response>),
}

impl Response {
    pub(crate) fn new(id: Id, body: Body) -> Response {
        Response { to: ResponseId::Request(id), body }
    }

    /// Creates an error response without a session, for transports that reject a request themselves.
    ///
    /// If `id` is `None`, the response has no id.
    pub fn refusal(id: Option<Id>, error: RpcError) -> Response {
        Response { to: id.map_or(ResponseId::Absent, ResponseId::Request), body: Body::Error(error) }
    }

    /// Returns the error, if this is an error response.
    pub fn error(&self) -> Option<&RpcError> {
        match &self.body {
            Body::Error(error) => Some(error),
            _ => None,
        }
    }

    /// Returns whether this is the result of a tool with `isError`.
    pub fn is_tool_failure(&self) -> bool {
        matches!(&self.body, Body::Tool(tool) if tool.result.is_error)
    }

    /// Returns the id of the request, or `None` for a batch or an unknown id.
    pub fn id(&self) -> Option<&Id> {
        match &self.to {
            ResponseId::Request(id) => Some(id),
            ResponseId::Null | ResponseId::Absent => None,
        }
    }

    /// Converts into the JSON of the result, or the error.
    pub(crate) fn into_result(self) -> Result<Box<RawValue>, RpcError> {
        let json = match self.body {
            Body::Error(error) => return Err(error),
            Body::Static(json) => json.to_owned(),
            Body::Json(json) => json.to_string(),
            Body::Tool(tool) => {
                let mut out = Vec::with_capacity(tool.expected_length());
                tool.encode(&mut out);
                String::from_utf8(out).expect("JSON is UTF-8")
            }
            Body::Batch(_) => unreachable!("a batch has no result of its own"),
        };
        Ok(RawValue::from_string(json).expect("written as JSON"))
    }

    /// Appends the JSON text, without a newline.
    pub fn encode(&self, out: &mut Vec<u8>) {
        if let Body::Batch(responses) = &self.body {
            return encode_batch(responses, out);
        }
        match &self.to {
            ResponseId::Request(id) => {
                out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
                id.write(out);
            }
            ResponseId::Null => out.extend_from_slice(br#"{"jsonrpc":"2.0","id":null"#),
            ResponseId::Absent => out.extend_from_slice(br#"{"jsonrpc":"2.0""#),
        }
        match &self.body {
            Body::Error(error) => {
                out.extend_from_slice(br#","error":"#);
                write_json(error, out);
            }
            Body::Static(json) => write_result(json, out),
            Body::Json(json) => write_result(json, out),
            Body::Tool(tool) => {
                out.extend_from_slice(br#","result":"#);
                tool.encode(out);
            }
            Body::Batch(_) => unreachable!("handled above"),
        }
        out.push(b'}');
    }

    /// Returns the JSON text.
    pub fn to_json(&self) -> String {
        let mut out = Vec::with_capacity(self.expected_length());
        self.encode(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    /// Returns the approximate length of the JSON text, to allocate once.
    fn expected_length(&self) -> usize {
        const ENVELOPE: usize = 64;
        ENVELOPE
            + match &self.body {
                Body::Static(json) => json.len(),
                Body::Json(json) => json.len(),
                Body::Tool(tool) => tool.expected_length(),
                Body::Error(_) | Body::Batch(_) => 0,
            }
    }
}

fn encode_batch(responses: &[Response], out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, response) in responses.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        response.encode(out);
    }
    out.push(b']');
}

fn write_result(json: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","result":"#);
    out.extend_from_slice(json.as_bytes());
}

/// Appends a value as JSON, or the error message as a string if it cannot be serialized.
pub(super) fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    let start = out.len();
    if let Err(error) = serde_json::to_writer(&mut *out, value) {
        // Only a custom `Serialize` can fail here, and this crate has none that does.
        out.truncate(start);
        out.extend_from_slice(Value::from(error.to_string()).to_string().as_bytes());
    }
}
