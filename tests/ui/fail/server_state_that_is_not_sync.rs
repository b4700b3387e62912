use mcp_core::tool;

use std::cell::Cell;

struct Count(Cell<u32>);

/// Read the count.
#[tool]
async fn count(count: &Count) -> u32 {
    count.0.get()
}

fn main() {}
