use mcp_core::{Json, tool};

struct Point;

/// Find the origin.
#[tool]
fn origin() -> Json<Point> {
    Json(Point)
}

fn main() {}
