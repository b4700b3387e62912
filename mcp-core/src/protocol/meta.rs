//! What a request says about itself in `params._meta`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::LogLevel;

/// The key of the revision in a stateless request.
pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The key of the client's capabilities in a stateless request.
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The key of our name card in a stateless result.
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The key of the stream that a notification comes on.
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The known keys of a request's `_meta`. Unknown ones are left in the raw text.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct RequestMeta<'a> {
    #[serde(rename = "progressToken", borrow, default)]
    pub(crate) progress_token: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/protocolVersion", borrow, default)]
    pub(crate) protocol_version: Option<std::borrow::Cow<'a, str>>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities", borrow, default)]
    pub(crate) client_capabilities: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/clientInfo", borrow, default)]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(rename = "io.modelcontextprotocol/logLevel", default)]
    pub(crate) log_level: Option<LogLevel>,
}
