use mcp_core::{server, tool, tools, toolset};

/// Add two numbers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Subtract two numbers.
#[tool]
fn sub(a: i64, b: i64) -> i64 {
    a - b
}

struct Counter;

#[toolset]
impl Counter {
    /// Count.
    #[tool]
    fn count(&self) -> u32 {
        1
    }

    /// Count down.
    #[tool]
    fn count_down(&self) -> u32 {
        0
    }
}

fn main() {
    let _ = server!().tools(tools![add, sub]).tools(Counter);
}
