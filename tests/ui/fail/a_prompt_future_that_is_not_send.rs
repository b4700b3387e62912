use std::rc::Rc;

use mcp_core::{prompt, prompts, server};

/// Review a piece of code.
#[prompt]
async fn review(code: String) -> String {
    let shared = Rc::new(code);
    std::future::ready(()).await;
    shared.to_string()
}

fn main() {
    server!().prompts(prompts![review]);
}
