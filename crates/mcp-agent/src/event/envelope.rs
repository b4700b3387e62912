//! The envelope of an event.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::message::Message;

/// An event of a session, in its envelope.
///
/// It serializes to `{"event": .., "data": {"sessionId", "timestamp", "raw", "metadata"}}`. `raw` is the message of the
/// CLI, byte for byte. It deserializes from the same format, so that programs can watch a session too.
///
/// ```
/// # use mcp_agent::{Message, event::{Event, Narrator}};
/// let message: Message = serde_json::from_str(r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}"#)?;
/// let sent = serde_json::to_string(&Narrator::new("chat_1").message(&message)[0])?;
/// let event: Event = serde_json::from_str(&sent)?;
/// assert_eq!(event.name, "claude.assistant");
/// assert_eq!(event.message().and_then(|message| message.text().map(str::to_owned)), Some("hi".to_owned()));
/// # Ok::<(), serde_json::Error>(())
/// ```
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
    /// The metadata of the event: `provider`, `chatId`, `claudeSessionId` and what the program added.
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

    /// Returns the message of the CLI, or `None` if this event has none: `claude.session_start`, `claude.turn_end`,
    /// `claude.error`, and every event whose name does not start with `claude.`.
    pub fn message(&self) -> Option<Message> {
        let own = ["claude.session_start", "claude.turn_end", "claude.error"];
        if !self.name.starts_with("claude.") || own.contains(&self.name.as_str()) {
            return None;
        }
        serde_json::from_str(self.raw.get()).ok()
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

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Received {
            event: String,
            data: ReceivedData,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct ReceivedData {
            session_id: Option<String>,
            timestamp: u64,
            raw: Box<RawValue>,
            #[serde(default)]
            metadata: Map<String, Value>,
        }
        let Received { event: name, data } = Received::deserialize(deserializer)?;
        let ReceivedData { session_id, timestamp, raw, mut metadata } = data;
        let repeats_original = metadata.remove("originalEvent").is_some();
        Ok(Self { name, session_id, timestamp, raw, metadata, repeats_original })
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
