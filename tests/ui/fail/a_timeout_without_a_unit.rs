use mcp_core::tool;

/// List files.
#[tool(timeout = "5")]
fn list() {}

fn main() {}
