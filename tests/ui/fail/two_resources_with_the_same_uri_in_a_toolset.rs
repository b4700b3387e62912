use mcp_core::{resource, server, toolset};

struct News;

#[toolset]
impl News {
    /// The message of the day.
    #[resource("motd://today")]
    fn motd(&self) -> &'static str {
        "eggs"
    }

    /// The motto of the day.
    #[resource("motd://today")]
    fn motto(&self) -> &'static str {
        "onwards"
    }
}

fn main() {
    server!().resources(News);
}
