use mcp_core::tool;

/// Show something.
#[tool]
fn show(what: dyn std::fmt::Display) -> String {
    what.to_string()
}

fn main() {}
