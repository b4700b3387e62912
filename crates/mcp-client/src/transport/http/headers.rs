//! Headers of MCP requests.

use data_encoding::BASE64;
use mcp_core::protocol::Revision;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::transport::Routing;

/// The header with the id of a session.
pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// The header with the id of the last event, to resume a stream.
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const PARAM_PREFIX: &str = "mcp-param-";

/// Returns the headers of a POST.
pub(super) fn of_post(routing: &Routing, revision: Option<Revision>) -> HeaderMap {
    let mut headers = of_revision(revision);
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if !revision.is_some_and(Revision::is_stateless) {
        return headers;
    }
    let method = routing.method.as_deref().map(encode);
    let name = routing.name.as_deref().map(encode);
    headers.extend([(METHOD, method), (NAME, name)].into_iter().filter_map(|(name, value)| Some((name, value?))));
    for (name, argument) in &routing.arguments {
        let name = HeaderName::try_from(format!("{PARAM_PREFIX}{}", name.to_ascii_lowercase()));
        let value = match argument {
            Value::String(text) => Some(encode(text)),
            Value::Bool(_) | Value::Number(_) => Some(encode(&argument.to_string())),
            _ => None,
        };
        if let (Ok(name), Some(value)) = (name, value) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Returns the headers of a GET that opens or resumes an event stream.
pub(super) fn of_get(revision: Option<Revision>, last_event: Option<&str>) -> HeaderMap {
    let mut headers = of_revision(revision);
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
    if let Some(id) = last_event.and_then(|id| HeaderValue::from_str(id).ok()) {
        headers.insert(LAST_EVENT_ID, id);
    }
    headers
}

/// Returns the headers of every request in this revision.
pub(super) fn of_revision(revision: Option<Revision>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    // The header exists since 2025-06-18.
    if let Some(revision) = revision.filter(|revision| *revision >= Revision::V2025_06_18) {
        headers.insert(VERSION, HeaderValue::from_static(revision.as_str()));
    }
    headers
}

/// Encodes text as the value of a header: unchanged if it is printable ASCII, otherwise in base64.
fn encode(text: &str) -> HeaderValue {
    let is_plain = text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && text.trim() == text;
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    let value =
        if is_plain && !looks_encoded { text.to_owned() } else { format!("=?base64?{}?=", BASE64.encode(text.as_bytes())) };
    HeaderValue::try_from(value).expect("plain ASCII is allowed in a header")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_that_a_header_cannot_carry_is_sent_in_base64() {
        for (text, value) in [
            ("us-west1", "us-west1"),
            ("a b", "a b"),
            ("", ""),
            (" a", "=?base64?IGE=?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("\ta", "=?base64?CWE=?="),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
        ] {
            assert_eq!(encode(text), value, "{text}");
        }
    }

    #[test]
    fn only_stateless_requests_repeat_the_body_in_headers() {
        let routing = Routing {
            method: Some("tools/call".to_owned()),
            name: Some("query".to_owned()),
            arguments: vec![
                ("Region".to_owned(), json!("eu")),
                ("Count".to_owned(), json!(42)),
                ("Dry".to_owned(), json!(true)),
            ],
        };
        let headers = of_post(&routing, Some(Revision::NEWEST));
        for (name, value) in [
            ("mcp-method", "tools/call"),
            ("mcp-name", "query"),
            ("mcp-param-region", "eu"),
            ("mcp-param-count", "42"),
            ("mcp-param-dry", "true"),
            ("mcp-protocol-version", "2026-07-28"),
        ] {
            assert_eq!(headers[name], value);
        }
        let headers = of_post(&routing, Some(Revision::V2025_11_25));
        assert_eq!(headers.len(), 3, "{headers:?}");
        assert_eq!(of_post(&routing, Some(Revision::V2025_03_26)).len(), 2);
    }
}
