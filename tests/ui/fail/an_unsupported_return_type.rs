use mcp_core::{tool, tools};

struct Point;

/// Find the origin.
#[tool]
fn origin() -> Point {
    Point
}

fn main() {
    let _ = tools![origin];
}
