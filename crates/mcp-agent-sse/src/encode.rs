//! Encodes events as server-sent events.

use bytes::{BufMut as _, Bytes, BytesMut};
use mcp_agent::event::Event;

/// Encodes one event: its envelope is the data, its number the id. The name is included if `named` is true.
pub(crate) fn encode(event: &Event, number: u64, named: bool) -> Bytes {
    // Cannot fail: the event consists of strings and valid JSON.
    let envelope = serde_json::to_string(event).unwrap_or_default();
    let mut out = BytesMut::with_capacity(envelope.len() + 64);
    if named {
        // A name consists of ASCII letters, digits and `._-`, so it cannot contain a line break.
        out.put_slice(format!("event: {}\n", event.name).as_bytes());
    }
    out.put_slice(format!("id: {number}\ndata: ").as_bytes());
    // A line break would end the data. JSON has line breaks only between tokens, where a space has the same meaning.
    out.extend(envelope.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    out.put_slice(b"\n\n");
    out.freeze()
}
