use mcp_core::tool;

/// Greet somebody.
#[tool]
fn greet(name: Option<&str>) -> String {
    format!("hello {}", name.unwrap_or("you"))
}

fn main() {}
