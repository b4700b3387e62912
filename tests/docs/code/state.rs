//! The code of `docs/state.md`.

use std::sync::Mutex;

use mcp_core::{Builder, server, tool, tools};

/// The shopping list that all tools share.
#[derive(Default)]
pub struct List(Mutex<Vec<String>>);

/// Put something on the shopping list.
#[tool]
fn add_item(
    /// what to buy
    item: String,
    list: &List,
) -> usize {
    let mut items = list.0.lock().expect("no tool panics while it holds the list");
    items.push(item);
    items.len()
}

/// Read the shopping list.
#[tool(read_only)]
fn read_list(list: &List) -> Vec<String> {
    list.0.lock().expect("no tool panics while it holds the list").clone()
}

pub fn server() -> Builder {
    server!().state(List::default()).tools(tools![add_item, read_list])
}

/// What one client has selected.
#[derive(Default)]
pub struct Selection(Mutex<Vec<String>>);

/// Select an item for this session.
#[tool]
fn select(item: String, selection: &Selection) -> usize {
    let mut items = selection.0.lock().expect("no tool panics while it holds the selection");
    items.push(item);
    items.len()
}

pub fn shop() -> Builder {
    server!().session_state(Selection::default).tools(tools![select])
}

use std::sync::atomic::{AtomicU64, Ordering};

use mcp_core::toolset;

/// Counts events.
#[derive(Default)]
pub struct Counter {
    seen: AtomicU64,
}

#[toolset]
impl Counter {
    /// Count an event and return the total.
    #[tool]
    async fn count(&self) -> u64 {
        self.seen.fetch_add(1, Ordering::Relaxed) + 1
    }
}

pub fn counter() -> Builder {
    server!().tools(Counter::default())
}
