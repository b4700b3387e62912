use mcp_core::tool;

trait Store: Send + Sync {
    fn get(&self) -> String;
}

/// Read what is stored.
#[tool]
fn get(store: &dyn Store) -> String {
    store.get()
}

fn main() {}
