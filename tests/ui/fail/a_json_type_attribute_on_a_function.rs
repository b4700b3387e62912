use mcp_core::json_type;

#[json_type]
fn add() {}

fn main() {}
