//! The envelope of an event.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// An event of a session, in its envelope.
///
/// It serializes to `{"event": .., "data": {"sessionId", "timestamp", "raw", "metadata"}}`. `raw` is the message of the
/// CLI, byte for byte.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Event {
    /// The name, such as `claude.assistant`.
    pub name: String,
    /// The id of the session, if known.
    pub session_id: Option<String>,
    /// The time, in milliseconds since 1970.
    pub timestamp: u64,
    /// The message of the CLI, or the content of an event that has no message.
    pub raw: Box<RawValue>,
    /// `provider`, `chatId`, `claudeSessionId` and the metadata of the caller.
    pub metadata: Map<String, Value>,
    pub(super) repeats_original: bool,
}

impl Event {
    /// Returns the `data` of the envelope, which is sent as the data of an event over HTTP.
    ///
    /// # Errors
    /// Never for events created by this crate: `raw` is valid JSON.
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
