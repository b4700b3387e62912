use mcp_core::{Server, tool, toolset};

struct Counter {
    count: u32,
}

#[toolset]
impl Counter {
    /// Count.
    #[tool]
    async fn count(&mut self) -> u32 {
        self.count += 1;
        self.count
    }
}

fn main() {
    let _ = Server::builder("counter", "1.0.0").tools(Counter { count: 0 });
}
