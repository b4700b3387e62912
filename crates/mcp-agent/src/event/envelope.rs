//! The envelope of an event.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Something that happened in a session, in the envelope in which it travels.
///
/// It serialises to `{"event": .., "data": {"sessionId", "timestamp", "raw", "metadata"}}`, where `raw` is the CLI's message
/// byte for byte.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Event {
    /// The name, such as `claude.assistant`.
    pub name: String,
    /// The session, if it has one yet.
    pub session_id: Option<String>,
    /// When, in milliseconds since 1970.
    pub timestamp: u64,
    /// The message of the CLI, or what stands in its place.
    pub raw: Box<RawValue>,
    /// `provider`, `chatId`, `claudeSessionId` and the caller's own.
    pub metadata: Map<String, Value>,
    pub(super) repeats_original: bool,
}

impl Event {
    /// The `data` of the envelope, which is what an event says over HTTP.
    ///
    /// # Errors
    /// Never for events made here; `raw` is JSON already.
    pub fn data(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(&self.envelope())
    }

    fn envelope(&self) -> Data<'_> {
        let original_event = self.repeats_original.then_some(&*self.raw);
        Data {
            session_id: self.session_id.as_deref(),
            timestamp: self.timestamp,
            raw: &self.raw,
            metadata: Metadata { fields: &self.metadata, original_event },
        }
    }
}

impl Serialize for Event {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Envelope<'a> {
            event: &'a str,
            data: Data<'a>,
        }
        Envelope { event: &self.name, data: self.envelope() }.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    session_id: Option<&'a str>,
    timestamp: u64,
    raw: &'a RawValue,
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Metadata<'a> {
    #[serde(flatten)]
    fields: &'a Map<String, Value>,
    #[serde(rename = "originalEvent", skip_serializing_if = "Option::is_none")]
    original_event: Option<&'a RawValue>,
}
