use mcp_core::{tool, toolset};

struct Calculator;

#[toolset]
impl Calculator {
    /// Add two numbers.
    #[tool(crate = mcp_core)]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
