use mcp_core::{resource, resources, server};

/// A note.
#[resource("notes://{id}")]
fn note(number: u32) -> String {
    number.to_string()
}

/// A page.
#[resource("pages://{id}")]
fn page(#[serde(rename = "number")] id: u32) -> String {
    id.to_string()
}

fn main() {
    server!().resources(resources![note, page]);
}
