use mcp_core::{prompt, prompts, server};

/// Count the lines of a piece of code.
#[prompt]
fn count(code: String) -> Result<usize, String> {
    Ok(code.lines().count())
}

fn main() {
    server!().prompts(prompts![count]);
}
