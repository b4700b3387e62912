use mcp_core::{tool, toolset};

struct Calculator;

#[toolset]
impl Calculator {
    /// Add two numbers.
    #[tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }

    /// Add two fractions.
    #[tool(name = "add")]
    fn add_fractions(&self, a: f64, b: f64) -> f64 {
        a + b
    }
}

fn main() {}
