use mcp_core::tool;

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
