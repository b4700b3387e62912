//! One server, used in two ways: as a stdio program for any client, and mounted in an agent session of the same process.
//! The mounted server needs no second process. `ask` requires the Claude Code CLI.
//!
//! ```sh
//! cargo build --example both && claude mcp add both -- target/debug/examples/both   # a server for Claude Code
//! cargo run --example both -- call add a=2 b=3                                       # calls one tool
//! cargo run --example both -- ask "What is 2 + 3? Use the tool."                     # mounted in a session
//! ```

use std::process::ExitCode;

use mcp_agent::Agent;
use mcp_core::{Builder, server, tool, tools};

/// Add two numbers.
#[tool(read_only, always_load)]
async fn add(
    /// left addend
    a: i64,
    /// right addend
    b: i64,
) -> i64 {
    a + b
}

/// Builds the server. It is independent of how it is run.
pub fn server() -> Builder {
    server!().tools(tools![add])
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    match (args.next().as_deref(), args.next()) {
        (Some("ask"), Some(prompt)) => match mounted(prompt) {
            Ok(answer) => println!("{answer}"),
            Err(error) => {
                eprintln!("{error:#}");
                return ExitCode::FAILURE;
            }
        },
        _ => return mcp_stdio::run(server()),
    }
    ExitCode::SUCCESS
}

#[tokio::main(flavor = "current_thread")]
async fn mounted(prompt: String) -> anyhow::Result<String> {
    let agent = Agent::new().mount("calculator", server()).allow_tools(["mcp__calculator__add"]);
    Ok(agent.query(prompt).result().await?.into_view().result.unwrap_or_default())
}
