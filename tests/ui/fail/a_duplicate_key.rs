use mcp_core::tool;

/// Add two numbers.
#[tool(name = "add", read_only, name = "plus")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
