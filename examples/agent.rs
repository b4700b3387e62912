//! An agent in the terminal: its own tools, permission asked here, its words as they come.
//!
//! ```sh
//! cargo run --example agent -- "How many words are in README.md? Then list the files here with Bash."
//! ```
//!
//! It needs the Claude Code CLI, and says how to get it.

use std::io::{Write as _, stdin, stdout};

use mcp_agent::{Agent, Ask, Decision};
use mcp_core::{ToolError, server, tool, tools};
use tokio::task::spawn_blocking;

/// Count the words in a text file.
#[tool(read_only, always_load)]
fn count_words(
    /// the file, from the working directory
    path: String,
) -> Result<usize, ToolError> {
    Ok(std::fs::read_to_string(path)?.split_whitespace().count())
}

/// The agent before it runs: one tool of its own that needs no permission; for all others somebody is asked.
fn agent() -> Agent {
    Agent::new()
        .mount("words", server!().tools(tools![count_words]))
        .allow_tools(["mcp__words__count_words"])
        .permission(|ask| async { spawn_blocking(move || on_the_terminal(&ask)).await.unwrap_or_else(|_| no()) })
        .partial_messages(true)
}

/// Asks whoever sits there. What is not a yes is a no.
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
    anyhow::ensure!(!prompt.is_empty(), "say what it should do, for instance: How many words are in README.md?");
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
