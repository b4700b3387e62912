use mcp_core::{server, tool, toolset};

struct Counter;

#[toolset]
impl Counter {
    /// Count up.
    #[tool]
    fn bump(&self) -> u32 {
        1
    }
}

fn main() {
    server!().tools(Counter).prompts(Counter);
}
