use mcp_core::{tool, toolset};

struct Calculator;

#[toolset(prefix = "calc_")]
impl Calculator {
    /// Add two numbers.
    #[tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
