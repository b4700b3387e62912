use mcp_core::{resource, resources, server};

/// A note.
#[resource("notes://{folder}/{type}")]
fn note() -> String {
    String::new()
}

fn main() {
    server!().resources(resources![note]);
}
