//! A line of a server, read as far as it is checked.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::wrong::Wrong;

/// A line of a server, read as far as it is checked.
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

/// What a request came to.
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
    pub(crate) fn parse(line: &'a [u8]) -> Result<Reply<'a>, Wrong> {
        match serde_json::from_slice(line) {
            Ok(envelope) => Ok(Reply { line, envelope }),
            Err(_) => Err(Wrong::NotJson { line: start(line) }),
        }
    }

    /// The id that it answers; none for a notification or a request of the server.
    pub(crate) fn id(&self) -> Result<Option<u64>, Wrong> {
        if self.envelope.method.is_some() {
            return Ok(None);
        }
        let id = self.envelope.id.as_ref().and_then(Value::as_u64);
        id.map(Some).ok_or_else(|| Wrong::NoId { reply: self.start() })
    }

    /// Whether it is an error of the protocol: how a server says that it is busy.
    pub(crate) fn is_refusal(&self) -> bool {
        self.envelope.result.is_none()
    }

    pub(crate) fn result(&self) -> Result<&Outcome<'a>, Wrong> {
        self.envelope.result.as_ref().ok_or_else(|| Wrong::Refused { reply: self.start() })
    }

    pub(crate) fn start(&self) -> String {
        start(self.line)
    }
}

/// Enough of a line to see what is wrong with it.
fn start(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(300)]).into_owned()
}

impl Outcome<'_> {
    /// Whether this is the text; some peers send a text as a JSON string.
    pub(crate) fn says(&self, wanted: &str) -> bool {
        let [Content { text: Some(text) }] = &self.content[..] else { return false };
        !self.is_error && (text == wanted || serde_json::from_str::<String>(text).is_ok_and(|text| text == wanted))
    }

    /// Whether these are the five hits whose score is high enough, each of them right.
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
