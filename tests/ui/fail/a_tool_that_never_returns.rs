use mcp_core::tool;

/// Wait for ever.
#[tool]
fn wait() -> ! {
    loop {}
}

fn main() {}
