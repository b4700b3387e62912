//! The parameters of requests and notifications.

use std::borrow::Cow;
use std::fmt;

use crate::jsonrpc::{Keys as _, RawJson, RpcError, Span, keys, members};
use crate::protocol::meta::RequestMeta;

/// Declares [`Param`]: the parameters of all methods, each with its name on the wire.
macro_rules! params {
    ($($name:ident = $key:literal),* $(,)?) => {
        keys!(Known: $($key),*);

        /// The parameters of all methods.
        #[derive(Clone, Copy)]
        pub(crate) enum Param {
            $($name,)*
        }
    };
}

params! {
    Name = "name",
    Arguments = "arguments",
    Meta = "_meta",
    Cursor = "cursor",
    ProtocolVersion = "protocolVersion",
    ClientInfo = "clientInfo",
    RequestId = "requestId",
    Uri = "uri",
    Reference = "ref",
    Argument = "argument",
    Context = "context",
    Capabilities = "capabilities",
    RequestState = "requestState",
    InputResponses = "inputResponses",
    Notifications = "notifications",
    Level = "level",
    Task = "task",
    TaskId = "taskId",
}

const KNOWN: usize = Known::NAMES.len();

/// The parameters of a request or notification: a JSON object, or nothing.
#[derive(Clone, Default)]
pub struct Params<'a> {
    /// The text of the message.
    text: &'a str,
    raw: Span,
    /// The index of a duplicate key.
    duplicate: Option<usize>,
    /// The positions of the known parameters. The last element is the value of the last unknown key.
    values: [Span; KNOWN + 1],
}

impl<'a> Params<'a> {
    /// Creates empty parameters of a message with this text.
    pub(crate) fn of(text: &'a str) -> Params<'a> {
        Params { text, ..Params::default() }
    }

    /// Returns the JSON text of all parameters, or `None` if the message has none.
    pub fn raw(&self) -> Option<RawJson<'a>> {
        self.raw.of(self.text)
    }

    /// Scans the object that starts at `start`. Returns its end, or `None` if it is not JSON.
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

    /// Removes parameters that are `null`: they mean the same as missing ones.
    #[cold]
    fn drop_nulls(&mut self) {
        let is_null = |span: Span| span.of(self.text).is_some_and(RawJson::is_null);
        self.values = self.values.map(|span| if is_null(span) { Span::default() } else { span });
    }

    /// Rejects duplicate keys, because JSON parsers disagree about which of them counts.
    pub(crate) fn checked(&self) -> Result<&Params<'a>, RpcError> {
        match self.duplicate {
            Some(place) => {
                let name = Known::NAMES[place];
                Err(RpcError::invalid_params(format!("duplicate key `{name}` in `params`")))
            }
            None => Ok(self),
        }
    }

    /// Returns the number of bytes that a call keeps in memory while it runs.
    pub(crate) fn weight(&self) -> usize {
        let kept = [Param::Arguments, Param::Meta, Param::Uri, Param::Argument, Param::Context];
        kept.into_iter().map(|param| self.values[param as usize].len()).sum()
    }

    /// Returns a parameter, if it is present.
    #[inline]
    pub(crate) fn get(&self, param: Param) -> Option<RawJson<'a>> {
        self.values[param as usize].of(self.text)
    }

    /// Returns a string parameter, if it is present. Fails if it is not a string.
    #[inline]
    pub(crate) fn text(&self, param: Param) -> Result<Option<Cow<'a, str>>, RpcError> {
        let value = self.values[param as usize];
        match value.string(self.text) {
            None if !value.is_empty() => {
                let name = Known::NAMES[param as usize];
                Err(RpcError::invalid_params(format!("`{name}` must be a string")))
            }
            text => Ok(text),
        }
    }

    /// Parses the `_meta` of the request, if it is present.
    pub(crate) fn request_meta(&self) -> Result<Option<RequestMeta<'a>>, RpcError> {
        let Some(raw) = self.get(Param::Meta) else {
            return Ok(None);
        };
        match RequestMeta::parse(raw) {
            Ok(meta) => Ok(Some(meta)),
            Err(fault) => Err(RpcError::invalid_params(format!("`_meta` is invalid: {fault}"))),
        }
    }
}

impl fmt::Debug for Params<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.raw() {
            Some(raw) => raw.fmt(f),
            None => f.write_str("nothing"),
        }
    }
}
