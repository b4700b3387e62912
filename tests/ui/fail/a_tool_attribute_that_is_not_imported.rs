use mcp_core::toolset;

struct Calculator;

#[toolset]
impl Calculator {
    /// Add two numbers.
    #[tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
