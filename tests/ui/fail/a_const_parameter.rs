use mcp_core::tool;

/// Repeat a text.
#[tool]
fn repeat<const N: usize>(text: String) -> String {
    text.repeat(N)
}

fn main() {}
