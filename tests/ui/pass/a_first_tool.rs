use mcp_core::{server, tool, tools};

/// Add two numbers.
#[tool]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

fn main() {
    assert!(server!().tools(tools![add]).build().is_ok());
}
