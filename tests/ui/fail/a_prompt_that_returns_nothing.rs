use mcp_core::{prompt, prompts, server};

/// Review a piece of code.
#[prompt]
fn review(_code: String) {}

fn main() {
    server!().prompts(prompts![review]);
}
