//! Decodes server-sent events, for Rust programs that watch a chat over HTTP.

use mcp_agent::event::Event;

/// The longest event that is decoded, in bytes.
const MAX_EVENT: usize = 64 << 20;

/// Decodes the stream of a chat: feed it the bytes of the response as they arrive.
///
/// Works with any HTTP client. To continue after a lost connection, send [`last_id`](Self::last_id) as `Last-Event-ID`.
///
/// ```
/// use mcp_agent_web::{Decoder, Transcript};
///
/// let mut decoder = Decoder::default();
/// let mut transcript = Transcript::default();
/// let bytes = b"id: e-1\ndata: {\"event\":\"chat.prompt\",\"data\":{\"timestamp\":1,\"raw\":{\"text\":\"Hello\"}}}\n\n";
/// for event in decoder.feed(bytes)? {
///     transcript.follow(&event)?;
/// }
/// assert_eq!(transcript.items[0].text, "Hello");
/// assert_eq!(decoder.last_id(), Some("e-1"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    /// How many of the bytes have no line break.
    scanned: usize,
    data: String,
    id: Option<String>,
    last_id: Option<String>,
}

impl Decoder {
    /// Adds bytes of the stream. Returns the events that are complete now.
    ///
    /// # Errors
    /// If the data of an event is not an event. The stream can be continued.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, serde_json::Error> {
        self.bytes.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(end) = self.bytes[self.scanned..].iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.bytes.drain(..=self.scanned + end).collect();
            self.scanned = 0;
            let line = String::from_utf8_lossy(&line);
            if let Some(event) = self.line(line.trim_end_matches(['\n', '\r']))? {
                events.push(event);
            }
        }
        // A line without an end would otherwise use all memory.
        self.bytes.truncate(MAX_EVENT);
        self.scanned = self.bytes.len();
        Ok(events)
    }

    /// Returns the id of the last complete event.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    fn line(&mut self, line: &str) -> Result<Option<Event>, serde_json::Error> {
        if !line.is_empty() {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "data" if self.data.len() + value.len() <= MAX_EVENT => self.data += value,
                "id" => self.id = Some(value.to_owned()),
                _ => {}
            }
            return Ok(None);
        }
        let (data, id) = (std::mem::take(&mut self.data), self.id.take());
        self.last_id = id.or(self.last_id.take());
        if data.is_empty() { Ok(None) } else { serde_json::from_str(&data).map(Some) }
    }
}
