use mcp_core::tool;

use std::path::Path;

/// Say where the root is.
#[tool]
fn root(root: &Path) -> String {
    root.display().to_string()
}

fn main() {}
