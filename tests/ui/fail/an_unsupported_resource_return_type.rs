use mcp_core::{resource, resources, server};

/// How many notes there are.
#[resource("notes://count")]
fn count() -> usize {
    7
}

/// All notes.
#[resource("notes://all")]
fn all() -> Vec<String> {
    Vec::new()
}

fn main() {
    server!().resources(resources![count, all]);
}
