//! The parameters of requests and notifications.

use std::borrow::Cow;
use std::fmt;

use crate::jsonrpc::{Known, RawJson, RpcError, Scanner};
use crate::protocol::meta::RequestMeta;

/// Declares [`Params`]: the keys of all methods' parameters, each under its name on the wire.
macro_rules! params {
    ($($field:ident = $key:literal),* $(,)?) => {
        const KEYS: &[&str] = &[$($key),*];

        /// The places of the parameters.
        #[allow(non_camel_case_types, reason = "they are named like the methods that look there")]
        #[derive(Clone, Copy)]
        enum Place {
            $($field,)*
        }

        impl Place {
            /// The place of the parameter whose key a text begins with, if any method has one.
            #[inline]
            fn find(text: &[u8]) -> Option<Known<Place>> {
                $(if let Some(known) = Known::at(text, $key, Place::$field) {
                    return Some(known);
                })*
                None
            }
        }

        impl<'a> Params<'a> {
            $(
                #[doc = concat!("The parameter `", $key, "`.")]
                #[inline]
                pub(crate) fn $field(&self) -> Option<RawJson<'a>> {
                    self.values[Place::$field as usize]
                }
            )*
        }
    };
}

params! {
    name = "name",
    arguments = "arguments",
    meta = "_meta",
    cursor = "cursor",
    protocol_version = "protocolVersion",
    client_info = "clientInfo",
    request_id = "requestId",
    uri = "uri",
    reference = "ref",
    argument = "argument",
    context = "context",
    capabilities = "capabilities",
    request_state = "requestState",
    input_responses = "inputResponses",
    notifications = "notifications",
    level = "level",
    task = "task",
    task_id = "taskId",
}

/// The parameters of a request or notification, as they came: a JSON object, or nothing.
#[derive(Clone, Default)]
pub struct Params<'a> {
    raw: Option<RawJson<'a>>,
    duplicate: Option<&'static str>,
    values: [Option<RawJson<'a>>; KEYS.len()],
}

impl<'a> Params<'a> {
    /// The JSON text of all of them; none if none were sent.
    pub fn raw(&self) -> Option<RawJson<'a>> {
        self.raw
    }

    /// Reads an object; `None` if it is not JSON.
    pub(crate) fn scan(&mut self, scanner: &mut Scanner<'a>) -> Option<RawJson<'a>> {
        let mut has_nulls = false;
        let raw = scanner.object(Place::find, |scanner, place| {
            let value = scanner.value()?;
            has_nulls |= value.is_null();
            if let Some(place) = place
                && self.values[place as usize].replace(value).is_some()
            {
                self.duplicate = Some(KEYS[place as usize]);
            }
            Some(())
        })?;
        self.raw = Some(raw);
        if has_nulls {
            self.drop_nulls();
        }
        self.raw
    }

    /// What is `null` might as well not be there.
    #[cold]
    fn drop_nulls(&mut self) {
        self.values = self.values.map(|value| value.filter(|value| !value.is_null()));
    }

    /// The parameters, unless one of them stands twice: two parsers may disagree about which one counts.
    pub(crate) fn checked(&self) -> Result<&Params<'a>, RpcError> {
        match self.duplicate {
            Some(name) => Err(RpcError::invalid_params(format!("the key `{name}` stands twice in `params`"))),
            None => Ok(self),
        }
    }

    /// How many bytes a call holds on to while it is at work.
    pub(crate) fn weight(&self) -> usize {
        let kept = [self.arguments(), self.meta(), self.uri(), self.argument(), self.context()];
        kept.into_iter().flatten().map(|raw| raw.get().len()).sum()
    }

    pub(crate) fn request_meta(&self) -> Result<RequestMeta<'a>, RpcError> {
        let Some(raw) = self.meta() else {
            return Ok(RequestMeta::default());
        };
        RequestMeta::read(raw).map_err(|fault| RpcError::invalid_params(format!("`_meta` cannot be read: {fault}")))
    }
}

/// A string parameter, where it is given.
pub(crate) fn text<'a>(raw: Option<RawJson<'a>>, name: &str) -> Result<Option<Cow<'a, str>>, RpcError> {
    let Some(raw) = raw else {
        return Ok(None);
    };
    raw.string().map(Some).ok_or_else(|| RpcError::invalid_params(format!("`{name}` must be a string")))
}

impl fmt::Debug for Params<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.raw {
            Some(raw) => raw.fmt(f),
            None => f.write_str("nothing"),
        }
    }
}
