//! The parameters of requests and notifications.

use std::borrow::Cow;
use std::fmt;

use crate::jsonrpc::{Keys as _, RawJson, RpcError, Span, keys, members};
use crate::protocol::meta::RequestMeta;

/// Declares [`Params`]: the keys of all methods' parameters, each under its name on the wire.
macro_rules! params {
    ($($field:ident = $key:literal),* $(,)?) => {
        keys!(Known: $($key),*);

        /// The places of the parameters.
        #[allow(non_camel_case_types, reason = "they are named like the methods that look there")]
        #[derive(Clone, Copy)]
        enum Place {
            $($field,)*
        }

        impl<'a> Params<'a> {
            $(
                #[doc = concat!("The parameter `", $key, "`.")]
                #[inline]
                pub(crate) fn $field(&self) -> Option<RawJson<'a>> {
                    self.values[Place::$field as usize].of(self.text)
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

const KNOWN: usize = Known::NAMES.len();

/// The parameters of a request or notification, as they came: a JSON object, or nothing.
#[derive(Clone, Default)]
pub struct Params<'a> {
    /// The message in which they stand.
    text: &'a str,
    raw: Span,
    /// The place of a key that stands twice.
    duplicate: Option<usize>,
    /// Where they stand, and behind them the last one that no method has.
    values: [Span; KNOWN + 1],
}

impl<'a> Params<'a> {
    /// None so far, of the message that has this text.
    pub(crate) fn of(text: &'a str) -> Params<'a> {
        Params { text, ..Params::default() }
    }

    /// The JSON text of all of them; none if none were sent.
    pub fn raw(&self) -> Option<RawJson<'a>> {
        self.raw.of(self.text)
    }

    /// Reads the object that begins there and gives its end; `None` if it is not JSON.
    #[inline(always)]
    pub(crate) fn scan(&mut self, start: usize) -> Option<usize> {
        let object = members::<Known>(self.text, start, &mut self.values)?;
        self.raw = Span::new(start, object.end);
        self.duplicate = object.duplicate;
        if object.has_nulls {
            self.drop_nulls();
        }
        Some(object.end)
    }

    /// What is `null` might as well not be there.
    #[cold]
    fn drop_nulls(&mut self) {
        let is_null = |span: Span| span.of(self.text).is_some_and(RawJson::is_null);
        self.values = self.values.map(|span| if is_null(span) { Span::default() } else { span });
    }

    /// The parameters, unless one of them stands twice: two parsers may disagree about which one counts.
    pub(crate) fn checked(&self) -> Result<&Params<'a>, RpcError> {
        match self.duplicate {
            Some(place) => {
                let name = Known::NAMES[place];
                Err(RpcError::invalid_params(format!("the key `{name}` stands twice in `params`")))
            }
            None => Ok(self),
        }
    }

    /// How many bytes a call holds on to while it is at work.
    pub(crate) fn weight(&self) -> usize {
        let kept = [Place::arguments, Place::meta, Place::uri, Place::argument, Place::context];
        kept.into_iter().map(|place| self.values[place as usize].len()).sum()
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
        match self.raw() {
            Some(raw) => raw.fmt(f),
            None => f.write_str("nothing"),
        }
    }
}
