use mcp_core::tool;

struct Calculator;

#[tool]
impl Calculator {
    /// Add two numbers.
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
