use mcp_core::{prompt, prompts, server};

/// Review a piece of code.
#[prompt]
fn review(code: String) -> String {
    code
}

/// Review it again.
#[prompt(name = "review")]
fn again(code: String) -> String {
    code
}

fn main() {
    server!().prompts(prompts![review, again]);
}
