use mcp_core::{tool, toolset};

struct Calculator;

#[toolset]
impl Calculator {
    /// Add two numbers.
    #[tool]
    #[tool(name = "plus")]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
