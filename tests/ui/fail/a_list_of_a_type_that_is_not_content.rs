use mcp_core::tool;

struct Point;

/// Find all points.
#[tool]
fn points() -> Vec<Point> {
    vec![Point]
}

fn main() {}
