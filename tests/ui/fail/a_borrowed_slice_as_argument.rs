use mcp_core::{tool, tools};

/// Add up numbers.
#[tool]
fn sum(numbers: &[i64]) -> i64 {
    numbers.iter().sum()
}

fn main() {
    let _ = tools![sum];
}
