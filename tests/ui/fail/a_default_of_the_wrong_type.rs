use mcp_core::tool;

/// List files.
#[tool]
fn list(#[default(true)] limit: u32) -> u32 {
    limit
}

fn main() {}
