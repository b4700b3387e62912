use mcp_core::{prompt, prompts, server};

struct Language;

/// Review a piece of code.
#[prompt]
fn review(code: String, _language: Language) -> String {
    code
}

fn main() {
    server!().prompts(prompts![review]);
}
