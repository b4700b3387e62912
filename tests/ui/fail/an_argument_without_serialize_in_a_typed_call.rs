use mcp_core::tool;

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: f64,
    y: f64,
}

/// Measure how far a point is from the origin.
#[tool]
async fn distance(point: Point) -> f64 {
    point.x.hypot(point.y)
}

async fn measure(client: &mcp_test::Client) {
    let _ = distance::on(client).call(Point { x: 3.0, y: 4.0 }).await;
}

fn main() {}
