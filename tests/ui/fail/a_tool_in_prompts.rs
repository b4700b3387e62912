use mcp_core::{prompts, server, tool};

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    server!().prompts(prompts![add]);
}
