//! Serves an [`mcp_core`] server over standard input and output, or over HTTP if the user asks for it on the command line.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     mcp_serve::run(mcp_core::server!())
//! }
//! ```
//!
//! ```sh
//! my-server                                          # serves over standard input and output, as with mcp-stdio
//! my-server serve --http 8080                        # serves http://127.0.0.1:8080/mcp
//! my-server serve --http 0.0.0.0:8080 --token-file token --allow-host mcp.example.com
//! my-server tools                                    # the other commands of a server binary
//! ```
//!
//! Use `mcp-stdio` for a server that needs no HTTP: its binary is smaller. Use `mcp-http` for a server with its own router, with
//! signed tokens or with other options; then the program decides how it serves.
//!
//! # Safety of the defaults
//! - A number is a port of the loopback address, so other machines have no access.
//! - An address that other machines can reach is refused without a token.
//! - Web pages have no access, unless `--allow-origin` lists their origin; `Host` must be loopback, the address itself, or listed
//!   with `--allow-host`.
//! - The token is never printed and cannot be an argument, because other users of the machine can read those.

mod address;
mod http;
mod options;
mod token;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use mcp_core::{IntoServer, Server};
use mcp_stdio::Stdio;

use crate::options::{HttpOptions, SERVE};

/// Serves over standard input and output, or over HTTP with `--http ADDRESS`, or runs a command such as `tools`.
///
/// The exit status is that of [`mcp_stdio::run`]. Over HTTP it is 0 after a signal has stopped the server, 1 if the address
/// cannot be bound, and 2 if the command line or the token is invalid.
pub fn run(server: impl IntoServer) -> ExitCode {
    let server = match server.into_server() {
        Ok(server) => server,
        Err(error) => {
            let faults: Vec<String> = error.faults().iter().map(|fault| format!("\n  {fault}")).collect();
            return fail(&format!("this server is invalid:{}", faults.concat()), 2);
        }
    };
    run_words(server, std::env::args_os().skip(1).collect())
}

fn run_words(server: Server, words: Vec<OsString>) -> ExitCode {
    match HttpOptions::parse(&words) {
        Ok(Some(options)) => http::serve(server, &options),
        Ok(None) => match mcp_cli::run_with(&server, words, &SERVE) {
            Ok(Some(status)) => status,
            Ok(None) => Stdio::new().command_line(false).run(server),
            Err(error) => fail(&format!("cannot run the command: {error}"), 1),
        },
        Err(error) => mcp_cli::refuse(&server, &error),
    }
}

/// Prints an error to stderr. Returns the exit status.
fn fail(message: &str, status: u8) -> ExitCode {
    // If stderr is closed, the exit status still reports the error.
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(status)
}
