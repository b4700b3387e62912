use mcp_core::tool;

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
enum Order {
    Up,
    Down,
}

/// List files.
#[tool]
fn list(#[default(Order::Up)] order: Order) -> bool {
    matches!(order, Order::Down)
}

fn main() {}
