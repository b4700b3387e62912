use mcp_core::{server, tool, tools};

/// Print something.
#[tool(task = optional, asks_first)]
fn print(text: String) -> String {
    text
}

fn main() {
    server!().tools(tools![print]);
}
