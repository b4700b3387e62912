use mcp_core::{tool, toolset};

struct Shelf<S>(S);

#[toolset(client = ShelfClient)]
impl<S: std::fmt::Display> Shelf<S> {
    /// Read what is on the shelf.
    #[tool]
    fn read(&self) -> String {
        self.0.to_string()
    }
}

fn main() {}
