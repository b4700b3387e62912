use mcp_core::{tool, tools};

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Subtract two numbers.
#[tool]
fn sub(a: i64, b: i64) -> i64 {
    a - b
}

fn main() {
    let _ = tools![add];
}
