use mcp_core::tool;

struct Broken;

/// Fail.
#[tool]
async fn fail() -> Result<String, Broken> {
    Err(Broken)
}

fn main() {}
