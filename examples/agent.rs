//! A short agent for the terminal, with one in-process tool. It prints the model's text and asks the user for permission
//! before the model may use any other tool.
//!
//! ```sh
//! cargo run --example agent -- "How many words are in README.md? Then list the files here with Bash."
//! ```
//!
//! Requires the Claude Code CLI; if it is missing, the error explains how to install it.

use std::io::{Write as _, stdin, stdout};

use mcp_agent::{Agent, Ask, Decision};
use mcp_core::{ToolError, server, tool, tools};
use tokio::task::spawn_blocking;

/// Count the words in a text file.
#[tool(read_only, always_load)]
fn count_words(
    /// the path of the file, relative to the working directory
    path: String,
) -> Result<usize, ToolError> {
    Ok(std::fs::read_to_string(path)?.split_whitespace().count())
}

/// Configures the agent: its own tool is always allowed; `permission` asks the user where the CLI would ask. The CLI reads files
/// of its working directory without asking: `Agent::rules` can deny that.
fn agent() -> Agent {
    Agent::new()
        .mount("words", server!().tools(tools![count_words]))
        .allow_tools(["mcp__words__count_words"])
        .permission(|ask| async { spawn_blocking(move || on_the_terminal(&ask)).await.unwrap_or_else(|_| no()) })
        .partial_messages(true)
}

/// Asks the user on the terminal. Every answer except yes denies the call.
fn on_the_terminal(ask: &Ask) -> Decision {
    print!("\n{} with {}: allow it? [y/N] ", ask.tool_name, ask.input);
    let mut line = String::new();
    let heard = stdout().flush().and_then(|()| stdin().read_line(&mut line));
    if heard.is_ok() && line.trim().eq_ignore_ascii_case("y") { Decision::allow() } else { no() }
}

fn no() -> Decision {
    Decision::deny("the user said no")
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let prompt: Vec<String> = std::env::args().skip(1).collect();
    anyhow::ensure!(
        !prompt.is_empty(),
        "the prompt is empty: pass one as an argument, for example: How many words are in README.md?"
    );
    let mut answer = agent().query(prompt.join(" "));
    while let Some(message) = answer.next().await? {
        if let Some(text) = message.text_delta() {
            print!("{text}");
            stdout().flush()?;
        }
    }
    println!();
    Ok(())
}
