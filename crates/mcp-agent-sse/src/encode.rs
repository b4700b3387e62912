//! An event on the wire.

use bytes::{BufMut as _, Bytes, BytesMut};
use mcp_agent::event::Event;

/// An event as server-sent events have it: its envelope as data, its number as id, and its name if asked for.
pub(crate) fn encode(event: &Event, number: u64, named: bool) -> Bytes {
    // Strings and JSON that was JSON before always have a JSON form.
    let envelope = serde_json::to_string(event).unwrap_or_default();
    let mut out = BytesMut::with_capacity(envelope.len() + 64);
    if named {
        // Names are ASCII words with dots in between, so none breaks the line.
        out.put_slice(format!("event: {}\n", event.name).as_bytes());
    }
    out.put_slice(format!("id: {number}\ndata: ").as_bytes());
    // A line break would end the data. Between tokens of JSON it means nothing, and inside of them it does not stand.
    out.extend(envelope.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    out.put_slice(b"\n\n");
    out.freeze()
}
