use mcp_core::{tool, toolset};

use std::rc::Rc;

async fn pause() {}

struct Counter;

#[toolset]
impl Counter {
    /// Count.
    #[tool]
    async fn count(&self) -> usize {
        let counter = Rc::new(1);
        pause().await;
        Rc::strong_count(&counter)
    }
}

fn main() {}
