use mcp_core::tool;

/// List files.
#[tool(task = sometimes)]
fn list() {}

fn main() {}
