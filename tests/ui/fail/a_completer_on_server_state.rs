use mcp_core::completion::Typed;
use mcp_core::{prompt, prompts, server};

struct Atlas;

/// Plan a journey.
#[prompt]
fn travel(#[complete(cities)] _atlas: &Atlas) -> String {
    String::new()
}

fn cities(typed: Typed) -> Vec<String> {
    vec![typed.value]
}

fn main() {
    cities(Typed::default());
    server!().prompts(prompts![travel]);
}
