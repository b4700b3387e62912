use mcp_core::{prompt, resource, server, toolset};

struct Notebook;

#[toolset]
impl Notebook {
    /// All notes.
    #[prompt]
    #[resource("notes://all")]
    fn all(&self) -> &'static str {
        "none"
    }
}

fn main() {
    server!().prompts(Notebook).resources(Notebook);
}
