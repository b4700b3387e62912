//! The tools of the torture, with rmcp as its documentation shows it.

use std::time::Duration;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::JsonSchema;
use rmcp::{ServiceExt, tool, tool_router, transport::stdio};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Text {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Time {
    ms: u64,
}

#[derive(Deserialize, JsonSchema)]
struct Size {
    bytes: usize,
}

#[derive(Clone)]
struct Torture;

#[tool_router(server_handler)]
impl Torture {
    /// Return the text.
    #[tool]
    async fn echo(&self, Parameters(p): Parameters<Text>) -> String {
        p.text
    }

    /// Sleep, and let others run.
    #[tool]
    async fn slow(&self, Parameters(p): Parameters<Time>) -> String {
        tokio::time::sleep(Duration::from_millis(p.ms)).await;
        "slept".to_owned()
    }

    /// Sleep, and block the thread.
    #[tool]
    fn block(&self, Parameters(p): Parameters<Time>) -> String {
        std::thread::sleep(Duration::from_millis(p.ms));
        "blocked".to_owned()
    }

    /// Return that many bytes of text.
    #[tool]
    async fn flood(&self, Parameters(p): Parameters<Size>) -> String {
        "x".repeat(p.bytes)
    }

    /// Panic.
    #[tool]
    async fn panic(&self) -> String {
        panic!("secret-in-panic")
    }

    /// Print to stdout.
    #[tool]
    async fn pollute(&self) -> String {
        println!("printed by a tool");
        "printed".to_owned()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Torture.serve(stdio()).await?.waiting().await?;
    Ok(())
}
