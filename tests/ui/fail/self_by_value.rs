use mcp_core::{tool, toolset};

struct Counter;

#[toolset]
impl Counter {
    /// Count.
    #[tool]
    fn count(self) -> u32 {
        1
    }
}

fn main() {}
