use std::time::Instant;

use mcp_core::tool;

/// Wait until then.
#[tool]
async fn wait(until: Instant) {
    let _ = until;
}

fn main() {}
