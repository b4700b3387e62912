//! `examples/hello.rs` with rmcp.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::JsonSchema;
use rmcp::{ServiceExt, tool, tool_router, transport::stdio};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Add {
    /// left addend
    a: i64,
    /// right addend
    b: i64,
}

#[derive(Clone)]
struct Hello;

#[tool_router(server_handler)]
impl Hello {
    /// Add two numbers.
    #[tool]
    async fn add(&self, Parameters(p): Parameters<Add>) -> String {
        (p.a + p.b).to_string()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Hello.serve(stdio()).await?.waiting().await?;
    Ok(())
}
