use mcp_core::tool;

trait Calculator {
    /// Add two numbers.
    #[tool]
    fn add(&self, a: i64, b: i64) -> i64;
}

fn main() {}
