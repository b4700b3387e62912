use mcp_core::tool;

/// List files.
#[tool]
fn list(#[serde(renamed = "max")] limit: u32) -> u32 {
    limit
}

fn main() {}
