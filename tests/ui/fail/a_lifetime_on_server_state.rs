use mcp_core::tool;

struct Words(Vec<String>);

/// Count the words.
#[tool]
fn count(words: &'static Words) -> usize {
    words.0.len()
}

fn main() {}
