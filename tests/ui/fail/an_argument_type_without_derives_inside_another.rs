use mcp_core::tool;

use std::collections::HashMap;

struct Point;

/// Count points.
#[tool]
fn count(points: HashMap<String, Vec<Point>>) -> usize {
    points.len()
}

fn main() {}
