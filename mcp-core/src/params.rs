//! The parameters of requests and notifications.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::jsonrpc::{RpcError, string};
use crate::protocol::meta::RequestMeta;

/// The keys of all methods' parameters, still raw.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Params<'a> {
    #[serde(borrow)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    pub(crate) meta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) request_id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow, rename = "ref")]
    pub(crate) reference: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) argument: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) context: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) request_state: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) notifications: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) level: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    pub(crate) fn parse(raw: Option<&'a RawValue>) -> Result<Params<'a>, RpcError> {
        let Some(raw) = raw else {
            return Ok(Params::default());
        };
        serde_json::from_str(raw.get())
            .map_err(|error| RpcError::invalid_params(format!("`params` cannot be read: {error}")))
    }

    /// How many bytes a call holds on to while it is at work.
    pub(crate) fn weight(&self) -> usize {
        let kept = [self.arguments, self.meta, self.uri, self.argument, self.context];
        kept.into_iter().flatten().map(|raw| raw.get().len()).sum()
    }

    pub(crate) fn request_meta(&self) -> Result<RequestMeta<'a>, RpcError> {
        let Some(raw) = self.meta else {
            return Ok(RequestMeta::default());
        };
        serde_json::from_str(raw.get()).map_err(|error| RpcError::invalid_params(format!("`_meta` cannot be read: {error}")))
    }
}

/// A string parameter, where it is given.
pub(crate) fn text<'a>(raw: Option<&'a RawValue>, name: &str) -> Result<Option<Cow<'a, str>>, RpcError> {
    let Some(raw) = raw else {
        return Ok(None);
    };
    string(raw).map(Some).ok_or_else(|| RpcError::invalid_params(format!("`{name}` must be a string")))
}
