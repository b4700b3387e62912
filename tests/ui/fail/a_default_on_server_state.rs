use mcp_core::tool;

struct Limit(u32);

/// List files.
#[tool]
fn list(#[default(Limit(10))] limit: &Limit) -> u32 {
    limit.0
}

fn main() {}
