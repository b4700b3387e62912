//! Frames to the CLI.

use mcp_core::transport::Response;
use serde::Serialize;

use super::id::RequestId;

/// A frame to the CLI.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Outgoing<'a, T: Serialize> {
    /// A control request to the CLI.
    #[serde(rename = "control_request")]
    Request { request_id: &'a RequestId, request: &'a T },
    /// Cancels a request that was sent to the CLI.
    #[serde(rename = "control_cancel_request")]
    Cancel { request_id: &'a RequestId },
    /// The response to a control request of the CLI.
    #[serde(rename = "control_response")]
    Response { response: Reply<'a, T> },
}

/// The body of a response to a control request of the CLI.
#[derive(Debug, Serialize)]
#[serde(tag = "subtype", rename_all = "lowercase")]
pub(crate) enum Reply<'a, T: Serialize> {
    Success {
        request_id: &'a RequestId,
        response: &'a T,
    },
    Error {
        request_id: &'a RequestId,
        error: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        error_code: Option<&'a str>,
    },
}

/// Encodes the response to an `mcp_message` request. The response of the mounted server is written directly into the
/// line.
pub(crate) fn mcp_response(request_id: &RequestId, response: &Response) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = br#"{"type":"control_response","response":{"subtype":"success","request_id":"#.to_vec();
    serde_json::to_writer(&mut line, request_id)?;
    line.extend_from_slice(br#","response":{"mcp_response":"#);
    response.encode(&mut line);
    line.extend_from_slice(b"}}}");
    Ok(line)
}

impl<T: Serialize> Outgoing<'_, T> {
    pub(crate) fn to_line(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}
