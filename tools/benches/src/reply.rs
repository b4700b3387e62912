//! The fields of a response that are checked.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::fault::Fault;

/// The fields of a response that are checked.
#[derive(Debug)]
pub(crate) struct Reply<'a> {
    line: &'a [u8],
    envelope: Envelope<'a>,
}

#[derive(Debug, Deserialize)]
struct Envelope<'a> {
    id: Option<Value>,
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    result: Option<Outcome<'a>>,
}

/// The result or error of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct Outcome<'a> {
    #[serde(borrow, default)]
    content: Vec<Content<'a>>,
    #[serde(rename = "structuredContent")]
    structured: Option<Value>,
    #[serde(rename = "isError", default)]
    is_error: bool,
    #[serde(default)]
    pub(crate) tools: Vec<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

impl<'a> Reply<'a> {
    pub(crate) fn parse(line: &'a [u8]) -> Result<Reply<'a>, Fault> {
        match serde_json::from_slice(line) {
            Ok(envelope) => Ok(Reply { line, envelope }),
            Err(_) => Err(Fault::NotJson { line: start(line) }),
        }
    }

    /// The id of its request. `None` for a notification or request of the server.
    pub(crate) fn id(&self) -> Result<Option<u64>, Fault> {
        if self.envelope.method.is_some() {
            return Ok(None);
        }
        let id = self.envelope.id.as_ref().and_then(Value::as_u64);
        id.map(Some).ok_or_else(|| Fault::NoId { reply: self.start() })
    }

    /// Whether it is a JSON-RPC error, with which a server rejects calls when it is busy.
    pub(crate) fn is_refusal(&self) -> bool {
        self.envelope.result.is_none()
    }

    pub(crate) fn result(&self) -> Result<&Outcome<'a>, Fault> {
        self.envelope.result.as_ref().ok_or_else(|| Fault::Refused { reply: self.start() })
    }

    pub(crate) fn start(&self) -> String {
        start(self.line)
    }
}

/// The beginning of a line, for error messages.
fn start(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(300)]).into_owned()
}

impl Outcome<'_> {
    /// Whether the text is `text`. Some peers send it as a JSON string.
    pub(crate) fn says(&self, wanted: &str) -> bool {
        let [Content { text: Some(text) }] = &self.content[..] else { return false };
        !self.is_error && (text == wanted || serde_json::from_str::<String>(text).is_ok_and(|text| text == wanted))
    }

    /// Whether these are the five expected hits.
    pub(crate) fn found(&self, query: &str) -> bool {
        let Some(found) = &self.structured else { return false };
        let right = |(id, hit): (usize, &Value)| {
            let score = 1.0 / (1.0 + id as f64);
            hit["id"] == id && hit["title"] == format!("{query} #{id}") && hit["kind"] == "code" && hit["score"] == score
        };
        let hits = found["hits"].as_array().map_or(&[][..], Vec::as_slice);
        !self.is_error && found["total"] == 5 && hits.len() == 5 && hits.iter().enumerate().all(right)
    }
}
