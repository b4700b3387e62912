use mcp_core::{Context, tool};

/// Name the tool.
#[tool]
fn name(cx: Context) -> String {
    cx.name().to_owned()
}

fn main() {}
