use mcp_core::tool;

use std::future::Future;

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> impl Future<Output = i64> {
    async move { a + b }
}

fn main() {}
