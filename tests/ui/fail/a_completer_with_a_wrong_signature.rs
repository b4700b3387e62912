use mcp_core::{prompt, prompts, server};

/// Plan a journey.
#[prompt]
fn travel(#[complete(cities)] city: String) -> String {
    city
}

fn cities(typed: String) -> Vec<String> {
    vec![typed]
}

fn main() {
    server!().prompts(prompts![travel]);
}
