use mcp_core::tool;

/// Show a number.
#[tool]
fn show(number: i64) -> impl std::fmt::Display {
    number
}

fn main() {}
