use mcp_core::tool;

/// Count the characters of a text.
#[tool]
fn length<'a>(text: std::borrow::Cow<'a, str>) -> usize {
    text.len()
}

fn main() {}
