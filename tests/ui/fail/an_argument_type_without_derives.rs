use mcp_core::tool;

struct Point {
    x: f64,
    y: f64,
}

/// Measure how far a point is from the origin.
#[tool]
async fn distance(
    /// the point
    point: Point,
    unit: Option<String>,
) -> String {
    format!("{} {}", point.x.hypot(point.y), unit.unwrap_or_default())
}

fn main() {}
