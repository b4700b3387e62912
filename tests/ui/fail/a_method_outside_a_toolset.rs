use mcp_core::tool;

struct Counter;

impl Counter {
    /// Count.
    #[tool]
    fn count(&self) -> u32 {
        1
    }
}

fn main() {}
