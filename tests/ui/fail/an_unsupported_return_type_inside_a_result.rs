use mcp_core::tool;

struct Point;

/// Find the origin.
#[tool]
async fn origin() -> Result<Point, String> {
    Ok(Point)
}

fn main() {}
