use mcp_core::{prompt, prompts, server};

struct Unreadable;

/// Review a piece of code.
#[prompt]
async fn review(code: String) -> Result<String, Unreadable> {
    if code.is_empty() { Err(Unreadable) } else { Ok(code) }
}

fn main() {
    server!().prompts(prompts![review]);
}
