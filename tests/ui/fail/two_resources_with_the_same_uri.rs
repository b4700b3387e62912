use mcp_core::{resource, resources, server};

/// The message of the day.
#[resource("motd://today")]
fn motd() -> &'static str {
    "eggs"
}

/// The motto of the day.
#[resource("motd://today")]
fn motto() -> &'static str {
    "onwards"
}

fn main() {
    server!().resources(resources![motd, motto]);
}
