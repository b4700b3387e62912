use mcp_core::{prompt, prompts, server};

/// Review a piece of code.
#[prompt(read_only, titel = "Review")]
fn review(code: String) -> String {
    code
}

fn main() {
    server!().prompts(prompts![review]);
}
