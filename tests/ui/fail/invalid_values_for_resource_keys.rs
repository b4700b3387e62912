use mcp_core::{resource, resources, server};

/// The message of the day.
#[resource("motd://today", audience = everybody, priority = 2.0, mime_type)]
fn motd() -> &'static str {
    "eggs"
}

fn main() {
    server!().resources(resources![motd]);
}
