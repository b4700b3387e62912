use mcp_core::{Json, resource, resources, server};

struct Note;

/// A note.
#[resource("notes://one")]
fn note() -> Json<Note> {
    Json(Note)
}

fn main() {
    server!().resources(resources![note]);
}
