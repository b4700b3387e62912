//! Headers that repeat what the body says: whoever routes by the header must see what the server will do.

use std::borrow::Cow;

use data_encoding::BASE64;
use http::{HeaderMap, HeaderName, HeaderValue};
use mcp_core::Server;
use mcp_core::dynamic::HeaderParam;
use mcp_core::protocol::Revision;
use mcp_core::serde_json::{self, Value};
use mcp_core::transport::{Code, Request, RequestSummary, RpcError};

/// The revision of a message.
pub(crate) static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");
const PARAM: &str = "mcp-param-";

/// Whether the headers name a revision without a handshake.
pub(crate) fn is_stateless(headers: &HeaderMap) -> bool {
    text(headers, &VERSION).is_ok_and(|name| name.and_then(Revision::parse).is_some_and(Revision::is_stateless))
}

/// Holds the headers of a stateless request against its body.
pub(crate) fn check(
    headers: &HeaderMap,
    request: &Request<'_>,
    outline: &RequestSummary<'_>,
    server: &Server,
) -> Result<(), RpcError> {
    let Some(revision) = outline.revision.as_deref().filter(|_| outline.has_capabilities) else {
        let keys = "`io.modelcontextprotocol/protocolVersion` and `io.modelcontextprotocol/clientCapabilities`";
        return Err(RpcError::invalid_params(format!("a stateless request has {keys} in `params._meta`")));
    };
    let version = text(headers, &VERSION)?.ok_or_else(|| missing(&VERSION))?;
    if version != revision {
        return Err(mismatch(&VERSION));
    }
    if !Revision::parse(revision).is_some_and(Revision::is_stateless) {
        // The session says which ones it serves.
        return Ok(());
    }
    if text(headers, &METHOD)?.ok_or_else(|| missing(&METHOD))? != request.method {
        return Err(mismatch(&METHOD));
    }
    let Some(subject) = &outline.subject else {
        return Ok(());
    };
    if decoded(headers, &NAME)?.ok_or_else(|| missing(&NAME))? != *subject {
        return Err(mismatch(&NAME));
    }
    if outline.is_tool_call { check_params(headers, outline, &server.header_params(subject)) } else { Ok(()) }
}

fn check_params(headers: &HeaderMap, outline: &RequestSummary<'_>, params: &[HeaderParam]) -> Result<(), RpcError> {
    if params.is_empty() {
        return Ok(());
    }
    let arguments: Value = outline.arguments.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    for param in params {
        let name = format!("{PARAM}{}", param.name().to_ascii_lowercase());
        // That a header can be called so was checked when the server was built.
        let Ok(name) = HeaderName::try_from(name) else { continue };
        let argument =
            param.path().iter().try_fold(&arguments, |value, key| value.get(key)).filter(|value| !value.is_null());
        match (argument, decoded(headers, &name)?) {
            (None, None) => {}
            (Some(_), None) => return Err(missing(&name)),
            (Some(argument), Some(header)) if says(&header, argument) => {}
            (_, Some(_)) => return Err(mismatch(&name)),
        }
    }
    Ok(())
}

/// Whether a header says what the argument does.
fn says(header: &str, argument: &Value) -> bool {
    match argument {
        Value::String(text) => text == header,
        Value::Bool(flag) => header == if *flag { "true" } else { "false" },
        // 42 and 42.0 are one number.
        Value::Number(number) => serde_json::from_str::<serde_json::Number>(header).is_ok_and(|header| {
            header == *number || (header.as_f64() == number.as_f64() && (header.is_f64() || number.is_f64()))
        }),
        _ => false,
    }
}

/// The one value of a header, in plain characters.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, RpcError> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(HeaderValue::to_str).transpose().map_err(|_| malformed(name))?;
    if values.next().is_some() {
        return Err(RpcError::new(Code::HEADER_MISMATCH, format!("the header `{name}` stands twice")));
    }
    Ok(first.map(str::trim))
}

/// The same, taken out of the envelope in which other characters travel.
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
    RpcError::new(Code::HEADER_MISMATCH, format!("the header `{name}` does not say what the body says"))
}

fn malformed(name: &HeaderName) -> RpcError {
    RpcError::new(Code::HEADER_MISMATCH, format!("the header `{name}` cannot be read"))
}

#[cfg(test)]
mod tests {
    use mcp_core::serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers_and_the_rest_as_text() {
        assert!(says("42", &json!(42)) && says("42.0", &json!(42)) && says("42", &json!(42.0)) && says("-7", &json!(-7)));
        assert!(!says("43", &json!(42)) && !says("0x2a", &json!(42)) && !says("42", &json!("42.0")));
        assert!(!says("9007199254740993", &json!(9007199254740992_u64)));
        assert!(says("true", &json!(true)) && !says("True", &json!(true)) && !says("1", &json!(true)));
        assert!(says("us", &json!("us")) && !says("US", &json!("us")) && !says("[]", &json!([])));
    }

    #[test]
    fn what_is_wrapped_in_base64_is_unwrapped_or_refused() {
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
}
