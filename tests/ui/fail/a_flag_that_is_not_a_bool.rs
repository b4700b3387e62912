use mcp_core::tool;

/// List files.
#[tool(read_only = "yes")]
fn list() {}

fn main() {}
