use mcp_core::{resource, resources, server};

/// The message of the day.
#[resource]
fn motd() -> &'static str {
    "eggs"
}

/// A note.
#[resource(uri = "notes://{id}")]
fn note(id: String) -> String {
    id
}

fn main() {
    server!().resources(resources![motd, note]);
}
