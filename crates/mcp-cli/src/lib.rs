//! The command line of an MCP server binary: `calc tools`, `calc call add a=2 b=3`, `calc install cursor --write`.
//!
//! `mcp_stdio::run` calls [`run`] before it starts to serve, so every server binary has these commands. A program with a
//! command line of its own uses [`Command`] directly. [`check`] and [`docs`] do what the commands of the same name do, for
//! tests and build scripts.
//!
//! `commands/` has one file for each command. None of this code runs in a process that only serves.

mod call_arguments;
mod command_line;
mod commands;
mod content;
mod local_client;
mod progress_bar;
mod registry;
mod schema;
mod serve_options;
mod style;
mod suggestion;
mod sys;
mod text_source;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use mcp_core::Server;

pub use command_line::{Arguments, UsageError};
/// Parts that `cargo mcp` uses too. Not a stable interface.
#[doc(hidden)]
pub mod parts {
    pub use crate::progress_bar::ProgressBar;
    pub use crate::schema::shape::shape;
    pub use crate::schema::types::{items, resolved, types};
    pub use crate::suggestion::nearest;

    pub mod registry {
        pub use crate::registry::{Fault, MAX_TEXT, SCHEMA, faults};
    }
}

pub use commands::{Command, Finding, Severity, check, docs};
pub use serve_options::ServeOptions;

use style::Style;

/// The exit status for an invalid command line.
const USAGE_STATUS: u8 = 2;

/// Runs the command in `arguments`, the command line without the program's name.
///
/// Returns `None` if there is no command: then the program should serve. Without arguments on a terminal, it prints what the
/// server offers and how to use it. If the arguments are invalid, it prints the [`UsageError`] to stderr and returns status 2.
///
/// ```
/// let server = mcp_core::Server::builder("empty", "1.0.0").build()?;
/// assert_eq!(mcp_cli::run(&server, vec!["serve".into()])?, None);
/// assert!(mcp_cli::run(&server, vec!["version".into()])?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the output cannot be written, or if the threads for a tool call cannot be started.
pub fn run(server: &Server, arguments: Vec<OsString>) -> io::Result<Option<ExitCode>> {
    run_with(server, arguments, &ServeOptions::STDIO)
}

/// Like [`run`], for a program whose `serve` has options. The program has parsed those already.
///
/// # Errors
/// If the output cannot be written, or if the threads for a tool call cannot be started.
pub fn run_with(server: &Server, arguments: Vec<OsString>, serve: &ServeOptions) -> io::Result<Option<ExitCode>> {
    if arguments.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        // A person started the program by hand: serving would wait for JSON-RPC that nobody types.
        writeln!(io::stdout(), "{}", commands::greeting(server))?;
        return Ok(Some(ExitCode::SUCCESS));
    }
    match Command::parse(arguments) {
        Ok(Some(command)) => command.run_with(server, serve).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Ok(Some(refuse(server, &error))),
    }
}

/// Prints an error of the command line to stderr. Returns the exit status.
pub fn refuse(server: &Server, error: &UsageError) -> ExitCode {
    // If stderr is closed, the exit status still reports the error.
    let _ = writeln!(io::stderr(), "{}: {}", server.info().name, Style::stderr().red(&error.to_string()));
    ExitCode::from(USAGE_STATUS)
}
