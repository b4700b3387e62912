//! Options.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use mcp_core::{IntoServer, Server};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::Error;
use crate::run;
use crate::serve;

/// Options for serving over standard input and output.
///
/// ```no_run
/// use std::process::ExitCode;
/// use std::time::Duration;
///
/// fn main() -> ExitCode {
///     let server = mcp_core::server!();
///     mcp_stdio::Stdio::new().max_line(64 << 20).grace(Duration::from_millis(200)).run(server)
/// }
/// ```
#[derive(Clone, Debug)]
#[must_use = "options do nothing until a server is run with them"]
#[non_exhaustive]
pub struct Stdio {
    pub(crate) max_line: usize,
    pub(crate) grace: Duration,
    pub(crate) watch_parent: bool,
    pub(crate) command_line: bool,
    arguments: Option<Vec<OsString>>,
}

impl Stdio {
    /// Returns the defaults: messages of at most 16 MiB, one second of grace, and the parent process is watched.
    pub fn new() -> Stdio {
        let (max_line, grace) = (16 << 20, Duration::from_secs(1));
        Stdio { max_line, grace, watch_parent: true, command_line: true, arguments: None }
    }

    /// Sets the maximum length of a message in bytes. A longer one is discarded and answered with an error.
    pub fn max_line(mut self, bytes: usize) -> Stdio {
        self.max_line = bytes;
        self
    }

    /// Sets the time that calls have to finish after the client has closed standard input or a signal came. Calls that finish in
    /// this time are answered, the others are cancelled.
    ///
    /// Most clients wait two seconds before they kill a server. A grace of more than 1.5 seconds is useful only with a client,
    /// or a process manager, that waits longer.
    pub fn grace(mut self, grace: Duration) -> Stdio {
        self.grace = grace;
        self
    }

    /// Sets whether to shut down when the parent process has exited. Turn it off for a server that must outlive its parent.
    pub fn watch_parent(mut self, watch: bool) -> Stdio {
        self.watch_parent = watch;
        self
    }

    /// Sets whether [`run`](Stdio::run) handles `tools`, `call` and the other [commands](crate::Command). Turn it off if your
    /// program has its own command line; it can then use [`Command`](crate::Command) directly.
    pub fn command_line(mut self, handle: bool) -> Stdio {
        self.command_line = handle;
        self
    }

    /// Sets the arguments in which [`run`](Stdio::run) looks for a [command](crate::Command), instead of all arguments of the
    /// program.
    ///
    /// For a program that takes its own arguments first:
    ///
    /// ```no_run
    /// # use std::process::ExitCode;
    /// # fn server(database: &str) -> mcp_core::Builder { mcp_core::server!() }
    /// fn main() -> ExitCode {
    ///     // notes PATH [COMMAND]
    ///     let mut words = std::env::args_os().skip(1);
    ///     let path = words.next().unwrap_or_default();
    ///     mcp_stdio::Stdio::new().arguments(words).run(server(&path.to_string_lossy()))
    /// }
    /// ```
    pub fn arguments(mut self, words: impl IntoIterator<Item = impl Into<OsString>>) -> Stdio {
        self.arguments = Some(words.into_iter().map(Into::into).collect());
        self
    }

    /// Like [`mcp_stdio::run`](crate::run), with these options.
    pub fn run(mut self, server: impl IntoServer) -> ExitCode {
        let outcome = server.into_server().map_err(Error::from).and_then(|server| {
            let words = self.arguments.take().unwrap_or_else(|| std::env::args_os().skip(1).collect());
            if self.command_line { self.run_command(server, words) } else { run::run(server, &self) }
        });
        outcome.unwrap_or_else(|error| {
            // If stderr is closed, there is no place to report that.
            let _ = writeln!(io::stderr(), "{}", explain(&error));
            match error {
                Error::Build(_) | Error::AlreadyServing => ExitCode::from(2),
                _ => ExitCode::FAILURE,
            }
        })
    }

    /// Runs the command in `arguments`; serves if there is none.
    fn run_command(&self, server: Server, arguments: Vec<OsString>) -> Result<ExitCode, Error> {
        match mcp_cli::run(&server, arguments).map_err(Error::Command)? {
            Some(status) => Ok(status),
            None => run::run(server, self),
        }
    }

    /// Like [`mcp_stdio::serve`](crate::serve), with these options.
    ///
    /// # Errors
    /// If the server is invalid, if this process has served before, or if reading or writing fails.
    pub async fn serve(self, server: impl IntoServer) -> Result<(), Error> {
        serve::serve(server.into_server()?, &self).await
    }

    /// Like [`mcp_stdio::serve_on`](crate::serve_on), with these options.
    ///
    /// # Errors
    /// If the server is invalid, or if reading or writing fails.
    pub async fn serve_on(
        self,
        server: impl IntoServer,
        reader: impl AsyncRead,
        writer: impl AsyncWrite,
    ) -> Result<(), Error> {
        serve::serve_on(server.into_server()?, reader, writer, &self).await
    }
}

impl Default for Stdio {
    fn default() -> Stdio {
        Stdio::new()
    }
}

/// Returns the error with its source. The faults of an invalid server are one on each line.
fn explain(error: &Error) -> String {
    match error {
        Error::Build(error) => {
            let faults: Vec<String> = error.faults().iter().map(|fault| format!("\n  {fault}")).collect();
            format!("this server is invalid:{}", faults.concat())
        }
        error => match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    }
}
