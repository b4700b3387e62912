//! `cargo mcp list|call|read|prompt|complete`: a client of any MCP server, for people.

mod arguments;
mod ask;
mod call;
mod complete;
mod content;
mod expand;
mod list;
mod mcp_json;
pub(crate) mod options;
mod prompt;
mod read;
mod split_command;
mod target;
mod text;

use std::time::Duration;

use mcp_cli::Arguments;
use mcp_cli::parts::nearest;
use mcp_client::{CallError, Client};

use self::options::{Options, usage};
pub(crate) use self::text::harmless;
use crate::Failure;

/// A command, after its words were checked.
enum Command {
    List,
    Call(call::Call),
    Read(read::Read),
    Prompt(prompt::Prompt),
    Complete(complete::Complete),
}

/// Runs a command with the words that follow it.
pub(crate) fn run(name: &str, words: &[String]) -> Result<(), Failure> {
    let mut arguments = Arguments::new(words.to_vec());
    let output = arguments.value("--output").map_err(usage)?;
    if output.is_some() && !matches!(name, "call" | "read") {
        return Err(Failure::usage(format!("`{name}` does not accept `--output`")));
    }
    let options = Options::parse(&mut arguments)?;
    let command = match name {
        "list" => Command::List,
        "call" => Command::Call(call::Call::parse(&mut arguments, output)?),
        "read" => Command::Read(read::Read::parse(&mut arguments, output)?),
        "prompt" => Command::Prompt(prompt::Prompt::parse(&mut arguments)?),
        _ => Command::Complete(complete::Complete::parse(&mut arguments)?),
    };
    arguments.finish(name).map_err(usage)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    let outcome = runtime.block_on(command.run(&options));
    options.bar.clear();
    // A thread may still wait for input of the terminal.
    runtime.shutdown_timeout(Duration::ZERO);
    outcome
}

impl Command {
    /// Connects and runs the command. Ctrl-C cancels it and ends the server.
    async fn run(self, options: &Options) -> Result<(), Failure> {
        let connected = tokio::select! {
            connected = options.connect() => connected?,
            _ = tokio::signal::ctrl_c() => return Err(interrupted()),
        };
        let outcome = tokio::select! {
            outcome = self.run_with(&connected, options) => outcome,
            _ = tokio::signal::ctrl_c() => Err(interrupted()),
        };
        options.bar.clear();
        tokio::select! {
            () = connected.close() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        outcome
    }

    async fn run_with(&self, client: &Client, options: &Options) -> Result<(), Failure> {
        match self {
            Command::List => list::run(client, options).await,
            Command::Call(call) => call.run(client, options).await,
            Command::Read(read) => read.run(client, options).await,
            Command::Prompt(prompt) => prompt.run(client, options).await,
            Command::Complete(complete) => complete.run(client, options).await,
        }
    }
}

/// Returns the failure of a command that Ctrl-C ended, with the exit status that shells use.
fn interrupted() -> Failure {
    Failure { reason: "interrupted".to_owned(), status: 130 }
}

fn failed(error: &CallError) -> Failure {
    Failure::new(harmless(&error.to_string()))
}

/// Returns the error for a name that a list does not have: with a similar name, or all names.
fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> Failure {
    let advice = match nearest(name, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.clone().next().is_none() => format!("it has no {kind}s"),
        None => format!("its {kind}s are: {}", names.take(50).collect::<Vec<_>>().join(", ")),
    };
    Failure::usage(harmless(&format!("the server has no {kind} `{name}`; {advice}")))
}
