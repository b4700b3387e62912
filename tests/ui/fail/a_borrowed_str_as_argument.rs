use mcp_core::{tool, tools};

/// Count the characters of a text.
#[tool]
fn length(text: &str) -> usize {
    text.chars().count()
}

fn main() {
    let _ = tools![length];
}
