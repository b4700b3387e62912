use mcp_core::{resource, resources, server};

/// The message of the day.
#[resource("motd://today")]
fn motd(language: String) -> String {
    language
}

/// A note.
#[resource("notes://{folder}/{id}")]
fn note(folder: String, id: u32, page: u32) -> String {
    format!("{folder} {id} {page}")
}

fn main() {
    server!().resources(resources![motd, note]);
}
