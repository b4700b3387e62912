use mcp_core::tool;

/// List files.
#[tool]
fn list(
    #[default(10)]
    #[serde(default)]
    limit: u32,
) -> u32 {
    limit
}

fn main() {}
