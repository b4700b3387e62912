use mcp_core::{tool, toolset};

use std::cell::Cell;

struct Counter {
    count: Cell<u32>,
}

#[toolset]
impl Counter {
    /// Count.
    #[tool]
    fn count(&self) -> u32 {
        self.count.get()
    }
}

fn main() {}
