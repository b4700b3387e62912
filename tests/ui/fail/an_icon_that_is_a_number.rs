use mcp_core::tool;

/// Add two numbers.
#[tool(icon = 5)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
