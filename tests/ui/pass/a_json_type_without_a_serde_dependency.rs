use mcp_core::{Json, json_type, tool};

/// The order of results.
#[json_type]
#[derive(Default)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Newest,
    Oldest,
}

#[json_type]
struct Page<T> {
    /// the items
    items: Vec<T>,
    #[serde(default)]
    order: Order,
}

/// List notes.
#[tool]
fn notes(#[default] order: Order, page: Option<Page<u32>>) -> Json<Page<String>> {
    let items = page.map_or_else(Vec::new, |page| page.items.iter().map(ToString::to_string).collect());
    Json(Page { items, order })
}

fn main() {
    drop(mcp_core::tools![notes]);
}
