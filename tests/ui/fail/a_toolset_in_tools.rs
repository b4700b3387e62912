use mcp_core::{tool, tools, toolset};

#[derive(Default)]
struct Calculator;

#[toolset]
impl Calculator {
    /// Add two numbers.
    #[tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    let _ = tools![Calculator];
}
