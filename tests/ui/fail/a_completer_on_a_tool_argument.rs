use mcp_core::completion::Typed;
use mcp_core::{server, tool, tools};

/// Fly somewhere.
#[tool]
fn fly(#[complete(cities)] city: String) -> String {
    city
}

fn cities(typed: Typed) -> Vec<String> {
    vec![typed.value]
}

fn main() {
    cities(Typed::default());
    server!().tools(tools![fly]);
}
