use mcp_core::tool;

/// A calculator.
#[tool]
struct Calculator;

fn main() {}
