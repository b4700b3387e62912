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
//! [`run`] is for a program whose one purpose is to be a server: it makes its own runtime, and is as fast as a loop written by
//! hand. [`serve`] is for a program that has a runtime and other things to do, [`serve_on`] for streams that are not standard
//! input and output. All of them give the same promises:
//!
//! - **The wire belongs to the protocol.** `run` and `serve` take standard input and output away from the program: what tools,
//!   libraries and child processes print lands on stderr, and they read nothing.
//! - **A slow tool holds up nobody.** Async tools run side by side. Plain functions may block: under `run` the thread that
//!   reads calls them itself and another takes over reading when that takes more than a few milliseconds; under `serve` they
//!   run on blocking threads. At most 256 of them block at a time beside those few. The others wait their turn, and are
//!   told that there is none if it does not come within half a minute.
//! - **Memory is bounded.** A message over the limit is dropped and answered with an error; a client that writes without
//!   reading is no longer read when 32 MiB of replies wait for it, and loses none of them.
//! - **The end is an end.** See [`run`].

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

/// Serves over standard input and output until the client goes away: the whole `main` of a server.
///
/// It makes its own tokio runtime, on which tools may sleep and spawn. [`Stdio`] has the options.
///
/// # The end
/// When the client closes our input, or on SIGTERM or SIGINT, nothing more is read; what is read already is answered if it
/// finishes within a second, the rest is cancelled, and the process ends, whatever tools are stuck in. Replies that are made
/// by then leave for as long as the client goes on reading them; one that takes nothing for half a second is not waited
/// for. A second signal ends it at once. When nobody reads our output any more, or when the process that started us is gone,
/// everything is cancelled at once.
///
/// | exit status | meaning |
/// |---|---|
/// | 0 | the client ended it: it closed our input, stopped reading, or is gone |
/// | 1 | reading or writing failed; `call`: the tool failed; `check`: there is something wrong |
/// | 2 | the server is built wrong (stderr says how), this process has served before, or the command line is no command |
/// | 101 | a fault of this crate |
/// | 130, 143 | SIGINT, SIGTERM |
///
/// # On record
/// With `MCP_RECORD=file` in its environment a server writes all that is said into that file, a line of JSON for each message;
/// `mcp_test::Recording` has the conversation again, in a test. This holds for [`serve`] too.
///
/// # By hand
/// The program is its own tool: `calc` on a terminal says what it is and how to add it to Claude Code, `calc tools` lists its
/// tools, `calc call add a=2 b=3` calls one of them without any client, and `calc --help` names the other [commands](Command).
/// A word that is none of them is refused, with status 2, rather than waited behind; options (`--verbose`) are left to the
/// program. One with words of its own says so: see [`Stdio::arguments`] and [`Stdio::command_line`].
pub fn run(server: impl IntoServer) -> ExitCode {
    Stdio::new().run(server)
}

/// Serves over standard input and output, on the caller's runtime, until the client goes away.
///
/// For programs that have other things to do; [`run`] is faster. Async tools are tasks of the runtime, plain functions run on
/// its blocking threads; an `async fn` that blocks its thread holds up the server, as it does any task of a runtime. Signals
/// are the program's own business: drop this future to stop serving.
///
/// ```no_run
/// # async fn program() -> Result<(), mcp_stdio::Error> {
/// mcp_stdio::serve(mcp_core::server!()).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the server is built wrong, when this process has served already, or when reading or writing fails.
///
/// # Panics
/// Outside of a tokio runtime with time enabled.
pub async fn serve(server: impl IntoServer) -> Result<(), Error> {
    Stdio::new().serve(server).await
}

/// Serves over any pair of streams, on the caller's runtime, until the reader ends or the writer breaks.
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
/// When the server is built wrong, or when reading or writing fails.
///
/// # Panics
/// Outside of a tokio runtime with time enabled.
pub async fn serve_on(server: impl IntoServer, reader: impl AsyncRead, writer: impl AsyncWrite) -> Result<(), Error> {
    Stdio::new().serve_on(server, reader, writer).await
}
