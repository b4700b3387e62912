use mcp_core::{prompt, prompts, server};

#[prompt]
fn review(code: String) -> String {
    code
}

fn main() {
    server!().prompts(prompts![review]);
}
