//! The summary of a request for transports.

use std::borrow::Cow;

use crate::jsonrpc::methods::Method;
use crate::jsonrpc::params::Param;
use crate::jsonrpc::{RawJson, Request};

/// The summary of a request: what a transport needs to route it and to compare it with HTTP headers.
///
/// Invalid parts are left out. The session reports them as errors later.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RequestSummary<'a> {
    /// Whether any revision of MCP has the method.
    pub is_known: bool,
    /// The protocol version in the `_meta` of the request.
    pub revision: Option<Cow<'a, str>>,
    /// Whether the `_meta` has the client capabilities, which stateless requests must have.
    pub has_capabilities: bool,
    /// Whether this is `initialize`.
    pub is_handshake: bool,
    /// Whether this is `subscriptions/listen`, whose response is sent when the stream ends.
    pub is_stream: bool,
    /// Whether this is `tools/call`.
    pub is_tool_call: bool,
    /// The name of the tool or prompt, the URI of the resource, or the id of the task.
    pub subject: Option<Cow<'a, str>>,
    /// The arguments, not parsed.
    pub arguments: Option<RawJson<'a>>,
}

impl<'a> Request<'a> {
    /// Returns the summary of this request.
    pub fn summary(&self) -> RequestSummary<'a> {
        let method = Method::parse(&self.method);
        let params = &self.params;
        let meta = params.request_meta().ok().flatten().unwrap_or_default();
        let subject = match method {
            Some(Method::CallTool | Method::GetPrompt) => Some(Param::Name),
            Some(Method::ReadResource) => Some(Param::Uri),
            Some(Method::GetTask | Method::CancelTask | Method::UpdateTask) => Some(Param::TaskId),
            _ => None,
        };
        RequestSummary {
            is_known: method.is_some(),
            revision: meta.protocol_version,
            has_capabilities: meta.client_capabilities.is_some(),
            is_handshake: method == Some(Method::Initialize),
            is_stream: method == Some(Method::Listen),
            is_tool_call: method == Some(Method::CallTool),
            subject: subject.and_then(|param| params.text(param).ok().flatten()),
            arguments: params.get(Param::Arguments),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::jsonrpc::Message;

    #[test]
    fn a_summary_has_the_subject_the_revision_and_the_arguments() {
        let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1},
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let Message::Request(request) = Message::parse(line) else { panic!() };
        let summary = request.summary();
        assert_eq!(summary.subject.as_deref(), Some("add"));
        assert_eq!(summary.revision.as_deref(), Some("2026-07-28"));
        assert_eq!(summary.arguments.map(|raw| raw.get()), Some(r#"{"a":1}"#));
        assert!(summary.is_tool_call && !summary.has_capabilities && !summary.is_stream && !summary.is_handshake);
    }

    #[test]
    fn invalid_parts_are_left_out() {
        let line = br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":7,"_meta":[]}}"#;
        let Message::Request(request) = Message::parse(line) else { panic!() };
        let summary = request.summary();
        assert!(summary.subject.is_none() && summary.revision.is_none());
    }
}
