use mcp_core::tool;

use std::rc::Rc;

async fn pause() {}

/// Count.
#[tool]
async fn count() -> usize {
    let counter = Rc::new(1);
    pause().await;
    Rc::strong_count(&counter)
}

fn main() {}
