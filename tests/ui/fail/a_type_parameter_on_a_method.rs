use mcp_core::{tool, toolset};

struct Show;

#[toolset]
impl Show {
    /// Show something.
    #[tool]
    fn show<T: std::fmt::Display>(&self, value: T) -> String {
        value.to_string()
    }
}

fn main() {}
