//! Serve an [`mcp_core`] server over standard input and output.
//!
//! ```no_run
//! use mcp_core::{Context, Server, ToolSpec, tool_fn};
//! use serde_json::Value;
//!
//! fn main() -> std::process::ExitCode {
//!     let hello = tool_fn(ToolSpec::new("hello", "Say hello."), |_: Value, _: Context| async { "hello" });
//!     mcp_stdio::run(Server::builder("greeter", "1.0.0").tools(hello))
//! }
//! ```
//!
//! [`run`] is for a program that only serves: it creates its own runtime, and is the fastest. [`serve`] is for a program that
//! has a runtime and other work, [`serve_on`] for streams other than standard input and output. All of them guarantee:
//!
//! - **Standard input and output belong to the protocol.** `run` and `serve` take them away from the program: what tools,
//!   libraries and child processes print goes to stderr, and they read nothing.
//! - **A slow tool blocks no other message.** Async tools run concurrently. Plain functions may block: under `run` the thread
//!   that reads also calls them, and another thread continues to read if that takes more than a few milliseconds; under
//!   `serve` they run on blocking threads. At most 256 of them run at the same time besides these few threads. The others
//!   wait for a thread, and fail with an error after 30 seconds.
//! - **Memory is bounded.** A message over the limit is discarded and answered with an error. While 32 MiB of replies wait for
//!   a client that does not read, no more of its messages are read. No reply is lost.
//! - **Shutdown is orderly.** See [`run`].
//!
//! They work on Linux, macOS and Windows.

mod driver;
mod error;
mod io;
mod logs;
mod options;
mod recording;
mod run;
mod serve;
mod sys;

use std::process::ExitCode;

use mcp_core::IntoServer;
use tokio::io::{AsyncRead, AsyncWrite};

/// The state machines of `run`, for their model in `tools/driver-model`. Not public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::driver::state::{Parts, State, Turn, Wakeups, Work};
    pub use crate::io::queue::Queue;
}

pub use error::Error;
pub use logs::{logs, logs_or};
pub use mcp_cli::{Command, Finding, Severity, UsageError, check, docs};
pub use options::Stdio;

/// Serves over standard input and output until the client disconnects. This is all that the `main` of a server has to call.
///
/// It creates its own tokio runtime, on which tools may sleep and spawn. [`Stdio`] has options.
///
/// # Shutdown
/// When the client closes standard input, or on SIGTERM or SIGINT (on Windows: Ctrl-C, Ctrl-Break, and when the console is closed),
/// nothing more is read. Calls that were read already have one second to finish ([`Stdio::grace`]) and are answered; the others
/// are cancelled. The process then ends even if tools are blocked. All replies are written as long as the client reads; after
/// half a second without progress the rest is discarded. A second signal ends the process at once. If the client no longer
/// reads standard output, or the parent process has exited, everything is cancelled at once.
///
/// | exit status | meaning |
/// |---|---|
/// | 0 | the client closed standard input, stopped reading, or has exited |
/// | 1 | reading or writing failed; `call`: the tool failed; `check`: it found a problem |
/// | 2 | the server is invalid (stderr says why), this process has served before, or the command line is invalid |
/// | 101 | a bug in this crate |
/// | 130, 143 | SIGINT or Ctrl-C; SIGTERM or a closed console |
///
/// # Recording
/// With `MCP_RECORD=file` in its environment a server writes all messages to that file, one line of JSON for each message.
/// `mcp_test::Recording` replays it in a test. This also applies to [`serve`].
///
/// # Commands
/// The program is also a command-line tool: on a terminal `calc` shows what it is and how to add it to Claude Code, `calc tools`
/// lists its tools, `calc call add a=2 b=3` calls one without a client, and `calc --help` lists the other
/// [commands](Command). An unknown word or option is rejected with status 2. A program with its own arguments uses
/// [`Stdio::arguments`] or [`Stdio::command_line`]. The crate `mcp-serve` adds `serve --http`.
pub fn run(server: impl IntoServer) -> ExitCode {
    Stdio::new().run(server)
}

/// Serves over standard input and output, on the caller's runtime, until the client disconnects.
///
/// For programs that have other work; [`run`] is faster. Async tools are tasks of the runtime, plain functions run on its
/// blocking threads. An `async fn` that blocks its thread blocks the server too. Signals are not handled: to stop serving,
/// drop this future.
///
/// ```no_run
/// # async fn program() -> Result<(), mcp_stdio::Error> {
/// mcp_stdio::serve(mcp_core::server!()).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the server is invalid, if this process has served before, or if reading or writing fails.
///
/// # Panics
/// Outside of a tokio runtime with time enabled.
pub async fn serve(server: impl IntoServer) -> Result<(), Error> {
    Stdio::new().serve(server).await
}

/// Serves over any pair of streams, on the caller's runtime, until the reader ends or a write fails.
///
/// ```
/// use mcp_core::Server;
/// use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let (client, server) = duplex(4096);
/// let (reader, writer) = split(server);
/// tokio::spawn(mcp_stdio::serve_on(Server::builder("empty", "1.0.0"), reader, writer));
///
/// let (reader, mut writer) = split(client);
/// writer.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").await?;
/// let reply = BufReader::new(reader).lines().next_line().await?;
/// assert_eq!(reply.as_deref(), Some(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#));
/// # Ok(())
/// # })
/// # }
/// ```
///
/// # Errors
/// If the server is invalid, or if reading or writing fails.
///
/// # Panics
/// Outside of a tokio runtime with time enabled.
pub async fn serve_on(server: impl IntoServer, reader: impl AsyncRead, writer: impl AsyncWrite) -> Result<(), Error> {
    Stdio::new().serve_on(server, reader, writer).await
}
