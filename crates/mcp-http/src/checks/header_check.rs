//! Checks of the HTTP headers: media types, and the MCP headers that repeat fields of the body.
//!
//! A proxy may route or authorize a request by its MCP headers. So the headers must match the body, which decides what the
//! server does.

use std::borrow::Cow;

use data_encoding::BASE64;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, EXPECT};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use mcp_core::Server;
use mcp_core::dynamic::HeaderParam;
use mcp_core::protocol::Revision;
use mcp_core::serde_json::{self, Value};
use mcp_core::transport::{Code, Request, RequestSummary, RpcError};

use crate::responses::Refusal;

/// The header with the protocol version.
pub(crate) static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The header with the id of a session.
pub(crate) const SESSION_ID: &str = "mcp-session-id";
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");
/// The prefix of headers that repeat an argument of a tool call.
const PARAM_PREFIX: &str = "mcp-param-";

/// Returns whether the headers name a stateless revision.
pub(crate) fn is_stateless(headers: &HeaderMap) -> bool {
    text(headers, &VERSION).is_ok_and(|name| name.and_then(Revision::parse).is_some_and(Revision::is_stateless))
}

/// Rejects requests that expect something else than `100 Continue`, which the HTTP server sends.
pub(crate) fn check_expect(headers: &HeaderMap) -> Result<(), Refusal> {
    match headers.get_all(EXPECT).iter().all(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
        true => Ok(()),
        false => Err(Refusal::new(StatusCode::EXPECTATION_FAILED, "the header `Expect` must be 100-continue or missing")),
    }
}

/// Rejects bodies that are not plain JSON in UTF-8.
pub(crate) fn check_content(headers: &HeaderMap) -> Result<(), Refusal> {
    let unsupported = |message: &str| Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let kind = values.next().filter(|_| values.next().is_none()).map_or(&b""[..], HeaderValue::as_bytes);
    if !essence(kind).eq_ignore_ascii_case(b"application/json") {
        return Err(unsupported("the header `Content-Type` must be application/json"));
    }
    if !kind.split(|byte| *byte == b';').skip(1).all(is_not_another_charset) {
        return Err(unsupported("the charset in `Content-Type` must be utf-8 or missing"));
    }
    if !headers.get_all(CONTENT_ENCODING).iter().all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let refusal = unsupported("the header `Content-Encoding` is not supported: send the body without compression");
        return Err(refusal.header(ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    Ok(())
}

/// Returns whether a parameter of a media type is not a charset, or is the charset UTF-8.
fn is_not_another_charset(parameter: &[u8]) -> bool {
    let mut parts = parameter.splitn(2, |byte| *byte == b'=');
    let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default().trim_ascii());
    let value = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
    !name.trim_ascii().eq_ignore_ascii_case(b"charset") || value.eq_ignore_ascii_case(b"utf-8")
}

/// The value that most clients send. Comparing with it first avoids parsing.
const COMMON_ACCEPT: &[u8] = b"application/json, text/event-stream";

/// Rejects clients that do not accept both JSON and event streams: the response to a POST is one of the two.
pub(crate) fn check_accept_of_post(headers: &HeaderMap) -> Result<(), Refusal> {
    if headers.get(ACCEPT).is_some_and(|accept| accept.as_bytes() == COMMON_ACCEPT) {
        return Ok(());
    }
    check_accept(headers, ["application/json", "text/event-stream"])
}

/// Rejects clients that do not accept all of these media types. A request without `Accept` accepts everything.
pub(crate) fn check_accept<const N: usize>(headers: &HeaderMap, kinds: [&str; N]) -> Result<(), Refusal> {
    let mut accepted = [!headers.contains_key(ACCEPT); N];
    for value in headers.get_all(ACCEPT) {
        for range in value.as_bytes().split(|byte| *byte == b',').map(essence) {
            for (kind, accepted) in kinds.iter().zip(&mut accepted) {
                *accepted |= covers(range, kind);
            }
        }
    }
    if accepted.iter().all(|accepted| *accepted) {
        return Ok(());
    }
    Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("the header `Accept` must include {}", kinds.join(" and "))))
}

/// Returns whether a range such as `*/*` or `text/*` includes a media type.
fn covers(range: &[u8], kind: &str) -> bool {
    range.eq_ignore_ascii_case(kind.as_bytes())
        || range == b"*/*"
        || range.strip_suffix(b"*").is_some_and(|family| {
            family.ends_with(b"/") && kind.as_bytes().get(..family.len()).is_some_and(|of| of.eq_ignore_ascii_case(family))
        })
}

/// Returns a media type without its parameters.
fn essence(value: &[u8]) -> &[u8] {
    value.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii()
}

/// Checks that the MCP headers of a stateless request match its body.
pub(crate) fn check_matches_body(
    headers: &HeaderMap,
    request: &Request<'_>,
    summary: &RequestSummary<'_>,
    server: &Server,
) -> Result<(), RpcError> {
    let Some(revision) = summary.revision.as_deref().filter(|_| summary.has_capabilities) else {
        let keys = "`io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities`";
        return Err(RpcError::invalid_params(format!("a stateless request must have {keys} in `params._meta`")));
    };
    let version = text(headers, &VERSION)?.ok_or_else(|| missing(&VERSION))?;
    if version != revision {
        return Err(mismatch(&VERSION));
    }
    if !Revision::parse(revision).is_some_and(Revision::is_stateless) {
        // The session rejects it, and its error lists the supported revisions.
        return Ok(());
    }
    if text(headers, &METHOD)?.ok_or_else(|| missing(&METHOD))? != request.method {
        return Err(mismatch(&METHOD));
    }
    let Some(subject) = &summary.subject else {
        return Ok(());
    };
    if decoded(headers, &NAME)?.ok_or_else(|| missing(&NAME))? != *subject {
        return Err(mismatch(&NAME));
    }
    if summary.is_tool_call { check_params(headers, summary, &server.header_params(subject)) } else { Ok(()) }
}

fn check_params(headers: &HeaderMap, summary: &RequestSummary<'_>, params: &[HeaderParam]) -> Result<(), RpcError> {
    if params.is_empty() {
        return Ok(());
    }
    let arguments: Value = summary.arguments.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    for param in params {
        let name = format!("{PARAM_PREFIX}{}", param.name().to_ascii_lowercase());
        // The name is valid: it was checked when the server was built.
        let Ok(name) = HeaderName::try_from(name) else { continue };
        let argument =
            param.path().iter().try_fold(&arguments, |value, key| value.get(key)).filter(|value| !value.is_null());
        match (argument, decoded(headers, &name)?) {
            (None, None) => {}
            (Some(_), None) => return Err(missing(&name)),
            (Some(argument), Some(header)) if matches_argument(&header, argument) => {}
            (_, Some(_)) => return Err(mismatch(&name)),
        }
    }
    Ok(())
}

/// Returns whether a header has the same value as an argument.
fn matches_argument(header: &str, argument: &Value) -> bool {
    match argument {
        Value::String(text) => text == header,
        Value::Bool(flag) => header == if *flag { "true" } else { "false" },
        // 42 and 42.0 are the same number.
        Value::Number(number) => serde_json::from_str::<serde_json::Number>(header).is_ok_and(|header| {
            header == *number || (header.as_f64() == number.as_f64() && (header.is_f64() || number.is_f64()))
        }),
        _ => false,
    }
}

/// Returns the value of a header as text, or `None` if it is missing. A duplicate header is an error.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, RpcError> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(HeaderValue::to_str).transpose().map_err(|_| malformed(name))?;
    if values.next().is_some() {
        return Err(RpcError::new(Code::HEADER_MISMATCH, format!("duplicate header `{name}`")));
    }
    Ok(first.map(str::trim))
}

/// Returns the value of a header like [`text`], and decodes `=?base64?...?=`, which carries characters outside of ASCII.
fn decoded<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<Cow<'a, str>>, RpcError> {
    let Some(text) = text(headers, name)? else {
        return Ok(None);
    };
    let Some(encoded) = text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Ok(Some(Cow::Borrowed(text)));
    };
    let plain = BASE64.decode(encoded.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    plain.map(|plain| Some(Cow::Owned(plain))).ok_or_else(|| malformed(name))
}

fn missing(name: &HeaderName) -> RpcError {
    RpcError::new(Code::HEADER_MISMATCH, format!("the header `{name}` is missing"))
}

fn mismatch(name: &HeaderName) -> RpcError {
    RpcError::new(Code::HEADER_MISMATCH, format!("the header `{name}` does not match the body"))
}

fn malformed(name: &HeaderName) -> RpcError {
    RpcError::new(Code::HEADER_MISMATCH, format!("the header `{name}` is malformed"))
}

#[cfg(test)]
mod tests {
    use mcp_core::serde_json::json;

    use super::*;

    #[test]
    fn numbers_match_by_value_and_other_arguments_by_text() {
        assert!(
            matches_argument("42", &json!(42))
                && matches_argument("42.0", &json!(42))
                && matches_argument("42", &json!(42.0))
                && matches_argument("-7", &json!(-7))
        );
        assert!(
            !matches_argument("43", &json!(42))
                && !matches_argument("0x2a", &json!(42))
                && !matches_argument("42", &json!("42.0"))
        );
        assert!(!matches_argument("9007199254740993", &json!(9007199254740992_u64)));
        assert!(
            matches_argument("true", &json!(true))
                && !matches_argument("True", &json!(true))
                && !matches_argument("1", &json!(true))
        );
        assert!(
            matches_argument("us", &json!("us"))
                && !matches_argument("US", &json!("us"))
                && !matches_argument("[]", &json!([]))
        );
    }

    #[test]
    fn base64_values_are_decoded_or_rejected() {
        let one = |value: &'static str| {
            let headers = HeaderMap::from_iter([(NAME.clone(), HeaderValue::from_static(value))]);
            decoded(&headers, &NAME).map(|value| value.map(Cow::into_owned)).map_err(|error| error.code)
        };
        assert_eq!(one("=?base64?SGVsbG8sIOS4lueVjA==?="), Ok(Some("Hello, 世界".into())));
        assert_eq!(one("  plain  "), Ok(Some("plain".into())));
        assert_eq!(one("=?BASE64?SGVsbG8=?="), Ok(Some("=?BASE64?SGVsbG8=?=".into())));
        for broken in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/w==?="] {
            assert_eq!(one(broken), Err(Code::HEADER_MISMATCH), "{broken}");
        }
    }

    fn with(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn only_json_in_utf_8_is_accepted_as_content_type() {
        for kind in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/json;profile=x; Charset = \"UTF-8\"",
            "application/json;",
        ] {
            assert!(check_content(&with(CONTENT_TYPE, kind)).is_ok(), "{kind}");
        }
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jsonp",
            "",
            "application/json; charset=utf-16",
            "application/json;charset=utf-8;charset=latin1",
            "application/json;charset",
        ] {
            assert!(check_content(&with(CONTENT_TYPE, kind)).is_err(), "{kind}");
        }
        assert!(check_content(&HeaderMap::new()).is_err());
    }

    #[test]
    fn a_post_must_accept_json_and_event_streams() {
        for accept in [
            "application/json, text/event-stream",
            "*/*",
            "text/*;q=0.5,application/*",
            "text/event-stream , application/json",
        ] {
            assert!(check_accept_of_post(&with(ACCEPT, accept)).is_ok(), "{accept}");
        }
        for accept in ["application/json", "text/event-stream", "text/html", "", "application/*"] {
            assert!(check_accept_of_post(&with(ACCEPT, accept)).is_err(), "{accept}");
        }
        assert!(check_accept_of_post(&HeaderMap::new()).is_ok());
    }
}
