use mcp_core::tool;

/// Add two numbers.
#[tool]
fn zero(_: i64) -> i64 {
    0
}

fn main() {}
