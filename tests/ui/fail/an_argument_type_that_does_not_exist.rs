use mcp_core::tool;

/// Draw a point.
#[tool]
fn draw(point: Point) {
    let _ = point;
}

fn main() {}
