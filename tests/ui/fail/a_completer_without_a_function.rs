use mcp_core::{prompt, prompts, server};

/// Plan a journey.
#[prompt]
fn travel(#[complete] city: String, #[complete("Lima", "Bern")] from: String) -> String {
    format!("{from} {city}")
}

fn main() {
    server!().prompts(prompts![travel]);
}
