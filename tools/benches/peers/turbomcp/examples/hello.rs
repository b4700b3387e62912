//! `examples/hello.rs` with turbomcp 4.

use turbomcp::prelude::*;

#[derive(Clone)]
struct Hello;

#[server(name = "hello", version = "0.0.0")]
impl Hello {
    /// Add two numbers.
    #[tool]
    async fn add(&self, a: i64, b: i64) -> String {
        (a + b).to_string()
    }
}

#[tokio::main]
async fn main() -> Result<(), turbomcp::ProtocolError> {
    Hello.run_stdio().await
}
