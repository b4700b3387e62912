use mcp_core::toolset;

#[toolset]
struct Calculator;

fn main() {}
