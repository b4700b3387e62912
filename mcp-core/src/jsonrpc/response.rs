//! Responses become bytes.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::tool_body::ToolBody;
use super::{Id, RpcError};

/// The answer to a request, ready to be written.
#[derive(Debug)]
pub struct Response {
    pub(crate) to: Addressee,
    pub(crate) body: Body,
}

/// To which request a response belongs.
#[derive(Clone, Debug)]
pub(crate) enum Addressee {
    Request(Id),
    /// The id could not be read; this is how the revision in force says so.
    Null,
    Absent,
}

/// What a response says.
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
        Response { to: Addressee::Request(id), body }
    }

    /// Refuses a request before a session sees it, for transports that look at more than the message.
    ///
    /// Where the request has no id that can be read, the response has none either.
    pub fn refusal(id: Option<Id>, error: RpcError) -> Response {
        Response { to: id.map_or(Addressee::Absent, Addressee::Request), body: Body::Error(error) }
    }

    /// The error, if this is one.
    pub fn error(&self) -> Option<&RpcError> {
        match &self.body {
            Body::Error(error) => Some(error),
            _ => None,
        }
    }

    /// Whether this is the result of a tool that failed.
    pub fn is_tool_failure(&self) -> bool {
        matches!(&self.body, Body::Tool(tool) if tool.output.is_error())
    }

    /// The id of the request that this answers; none for a batch or when it could not be read.
    pub fn id(&self) -> Option<&Id> {
        match &self.to {
            Addressee::Request(id) => Some(id),
            Addressee::Null | Addressee::Absent => None,
        }
    }

    /// The result alone, or the error.
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
            Addressee::Request(id) => {
                out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
                id.write(out);
            }
            Addressee::Null => out.extend_from_slice(br#"{"jsonrpc":"2.0","id":null"#),
            Addressee::Absent => out.extend_from_slice(br#"{"jsonrpc":"2.0""#),
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

    /// The JSON text.
    pub fn to_json(&self) -> String {
        let mut out = Vec::with_capacity(self.expected_length());
        self.encode(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    /// About how long the JSON text is, so that room is made once.
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

/// Appends a value; what cannot be written is told instead.
pub(super) fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    let start = out.len();
    if let Err(error) = serde_json::to_writer(&mut *out, value) {
        // Only a hand-written `Serialize` can fail here; ours do not.
        out.truncate(start);
        out.extend_from_slice(Value::from(error.to_string()).to_string().as_bytes());
    }
}
