use mcp_core::tool;

/// List files.
#[tool]
fn list(#[serde(skip)] limit: u32) -> u32 {
    limit
}

fn main() {}
