//! The parameters of requests and notifications.

use std::borrow::Cow;
use std::fmt;

use crate::jsonrpc::{Keys as _, RawJson, RpcError, Span, keys, members};
use crate::protocol::meta::RequestMeta;

/// Declares [`Param`]: the parameters of all methods, each with its name on the wire.
macro_rules! params {
    ($($name:ident = $key:literal),* $(,)?) => {
        keys!(Known: $($key),*);

        /// The parameters that some method has.
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
                Err(RpcError::invalid_params(format!("duplicate key `{name}` in `params`")))
            }
            None => Ok(self),
        }
    }

    /// How many bytes a call holds on to while it is at work.
    pub(crate) fn weight(&self) -> usize {
        let kept = [Param::Arguments, Param::Meta, Param::Uri, Param::Argument, Param::Context];
        kept.into_iter().map(|param| self.values[param as usize].len()).sum()
    }

    /// A parameter, where it is given.
    #[inline]
    pub(crate) fn get(&self, param: Param) -> Option<RawJson<'a>> {
        self.values[param as usize].of(self.text)
    }

    /// A parameter that must be a text, where it is given.
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

    /// What the request says about itself; nothing if it says nothing.
    pub(crate) fn request_meta(&self) -> Result<Option<RequestMeta<'a>>, RpcError> {
        let Some(raw) = self.get(Param::Meta) else {
            return Ok(None);
        };
        match RequestMeta::read(raw) {
            Ok(meta) => Ok(Some(meta)),
            Err(fault) => Err(RpcError::invalid_params(format!("`_meta` cannot be read: {fault}"))),
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
