use mcp_core::{prompt, prompts, server};

/// Show something.
#[prompt]
fn show<T: ToString>(thing: T) -> String {
    thing.to_string()
}

fn main() {
    server!().prompts(prompts![show]);
}
