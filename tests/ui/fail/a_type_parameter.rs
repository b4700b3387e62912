use mcp_core::{tool, tools};

/// Show something.
#[tool]
fn show<T: std::fmt::Display>(value: T) -> String {
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
