use mcp_core::tool;

/// Add two numbers.
#[tool]
fn hinzufügen(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
