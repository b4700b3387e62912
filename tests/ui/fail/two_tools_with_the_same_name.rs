use mcp_core::{tool, tools};

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Add two fractions.
#[tool(name = "add")]
fn add_fractions(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = tools![add, add_fractions];
}
