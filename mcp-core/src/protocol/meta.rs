//! The known keys of `_meta`, and a parser for the `params._meta` of a request.

use std::borrow::Cow;

use super::LogLevel;
use crate::jsonrpc::{Keys as _, RawJson, Span, keys, members, start};

/// The key of the revision in a stateless request.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key of the client's capabilities in a stateless request.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The key of the server's name and version in a stateless result.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The key of the subscription that a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The key of the task that a message belongs to, in 2025-11-25.
pub(crate) const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// The name of the tasks extension of 2026-07-28.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";
/// The key of the client's name and version in a stateless request.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The key of the minimum level of log messages that a stateless request asks for.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

keys!(
    Known:
    "progressToken",
    PROTOCOL_VERSION,
    CLIENT_CAPABILITIES,
    CLIENT_INFO,
    LOG_LEVEL,
    "traceparent",
    "tracestate",
    "baggage",
);
const KNOWN: usize = Known::NAMES.len();

/// The values of the known keys in a request's `_meta`. Unknown keys are ignored.
#[derive(Debug, Default)]
pub(crate) struct RequestMeta<'a> {
    pub(crate) progress_token: Option<RawJson<'a>>,
    pub(crate) protocol_version: Option<Cow<'a, str>>,
    pub(crate) client_capabilities: Option<RawJson<'a>>,
    pub(crate) client_info: Option<RawJson<'a>>,
    pub(crate) log_level: Option<LogLevel>,
    pub(crate) traceparent: Option<RawJson<'a>>,
    pub(crate) tracestate: Option<RawJson<'a>>,
    pub(crate) baggage: Option<RawJson<'a>>,
}

impl<'a> RequestMeta<'a> {
    /// Returns the `RequestMeta` of a request without `_meta`.
    pub(crate) fn empty() -> &'static RequestMeta<'static> {
        static EMPTY: RequestMeta<'static> = RequestMeta {
            progress_token: None,
            protocol_version: None,
            client_capabilities: None,
            client_info: None,
            log_level: None,
            traceparent: None,
            tracestate: None,
            baggage: None,
        };
        &EMPTY
    }

    /// Parses a `_meta` object. The error describes the fault.
    pub(crate) fn parse(raw: RawJson<'a>) -> Result<RequestMeta<'a>, String> {
        let (text, mut values) = (raw.get(), [Span::default(); KNOWN + 1]);
        let object = members::<Known>(text, start(text, 0), &mut values).ok_or("not an object")?;
        if let Some(place) = object.duplicate {
            return Err(format!("duplicate key `{}`", Known::NAMES[place]));
        }
        // A `null` value is treated like a missing key.
        let [progress_token, version, client_capabilities, client_info, level, traceparent, tracestate, baggage, _] =
            values.map(|value| value.of(text).filter(|value| !value.is_null()));
        let text = |value: RawJson<'a>| value.string().ok_or_else(|| format!("`{PROTOCOL_VERSION}` is not a string"));
        let protocol_version = version.map(text).transpose()?;
        let level = level.map(|value| value.decode().map_err(|error| format!("`{LOG_LEVEL}`: {error}")));
        Ok(RequestMeta {
            progress_token,
            protocol_version,
            client_capabilities,
            client_info,
            log_level: level.transpose()?,
            traceparent,
            tracestate,
            baggage,
        })
    }
}
