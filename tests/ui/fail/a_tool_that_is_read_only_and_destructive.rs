use mcp_core::tool;

/// List files.
#[tool(read_only, destructive)]
fn list() {}

fn main() {}
