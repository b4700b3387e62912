use mcp_core::{tool, toolset};

use std::sync::Arc;

struct Counter;

#[toolset]
impl Counter {
    /// Count.
    #[tool]
    fn count(self: Arc<Self>) -> u32 {
        1
    }
}

fn main() {}
