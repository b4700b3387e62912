use mcp_core::{prompt, server, tools};

/// Review a piece of code.
#[prompt]
fn review(code: String) -> String {
    code
}

fn main() {
    server!().tools(tools![review]);
}
