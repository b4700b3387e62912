use mcp_core::tool;

/// List files.
#[tool(meta = "x")]
fn list() {}

fn main() {}
