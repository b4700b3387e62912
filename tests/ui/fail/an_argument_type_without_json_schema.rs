use mcp_core::tool;

use serde::Deserialize;

#[derive(Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

/// Measure how far a point is from the origin.
#[tool]
async fn distance(point: Point) -> f64 {
    point.x.hypot(point.y)
}

fn main() {}
