use mcp_core::{resource, resources, server};

/// Never closed.
#[resource("notes://{id")]
fn unclosed(id: String) -> String {
    id
}

/// Nothing between.
#[resource("notes://{folder}{id}")]
fn touching(folder: String, id: String) -> String {
    folder + &id
}

/// A query in the middle.
#[resource("notes://find{?word}/all")]
fn query(word: String) -> String {
    word
}

/// One name twice.
#[resource("notes://{id}/{id}")]
fn twice(id: String) -> String {
    id
}

/// No name.
#[resource("notes://{the id}")]
fn spaced(id: String) -> String {
    id
}

fn main() {
    server!().resources(resources![unclosed, touching, query, twice, spaced]);
}
