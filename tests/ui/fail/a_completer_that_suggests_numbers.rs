use mcp_core::completion::Typed;
use mcp_core::{Context, prompt, prompts, server};

/// Plan a journey.
#[prompt]
fn travel(#[complete(years)] year: u32) -> String {
    year.to_string()
}

async fn years(typed: Typed, _: &Context) -> Vec<u32> {
    typed.value.parse().into_iter().collect()
}

fn main() {
    server!().prompts(prompts![travel]);
}
