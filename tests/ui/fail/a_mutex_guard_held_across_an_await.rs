use std::sync::Mutex;

use mcp_core::tool;

struct List(Mutex<Vec<String>>);

/// Add an item.
#[tool]
async fn add(item: String, list: &List) -> usize {
    let mut items = list.0.lock().unwrap();
    save(&item).await;
    items.push(item);
    items.len()
}

async fn save(_: &str) {}

fn main() {}
