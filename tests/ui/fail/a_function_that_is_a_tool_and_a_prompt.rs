use mcp_core::{prompt, server, tool, tools};

/// Greet somebody.
#[tool]
#[prompt]
fn greet(name: String) -> String {
    format!("hello {name}")
}

fn main() {
    server!().tools(tools![greet]);
}
