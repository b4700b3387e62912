//! How to serve.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use mcp_core::IntoServer;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::cli;
use crate::error::Error;
use crate::run;
use crate::serve;

/// How to serve over standard input and output, where the defaults do not fit.
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
#[must_use = "options do nothing until something is served with them"]
#[non_exhaustive]
pub struct Stdio {
    pub(crate) max_line: usize,
    pub(crate) grace: Duration,
    pub(crate) watch_parent: bool,
    pub(crate) command_line: bool,
}

impl Stdio {
    /// The defaults: lines of 16 MiB, a second of grace, a watched parent.
    pub fn new() -> Stdio {
        Stdio { max_line: 16 << 20, grace: Duration::from_secs(1), watch_parent: true, command_line: true }
    }

    /// The longest message that is accepted, in bytes. A longer one is answered with an error, and costs no memory.
    pub fn max_line(mut self, bytes: usize) -> Stdio {
        self.max_line = bytes;
        self
    }

    /// How long calls may still take when the client has closed our input or a signal came; then they are cancelled.
    ///
    /// Clients wait two seconds before they kill, so a grace of more than 1.5 seconds is of use only with patient ones.
    pub fn grace(mut self, grace: Duration) -> Stdio {
        self.grace = grace;
        self
    }

    /// Whether to end when the process that started us is gone. Turn it off for a server that is meant to outlive it.
    pub fn watch_parent(mut self, watch: bool) -> Stdio {
        self.watch_parent = watch;
        self
    }

    /// Whether [`run`](Stdio::run) understands the arguments `tools` and `call`. Turn it off if your program uses these
    /// words itself.
    pub fn command_line(mut self, understand: bool) -> Stdio {
        self.command_line = understand;
        self
    }

    /// Like [`mcp_stdio::run`](crate::run), with these options.
    pub fn run(self, server: impl IntoServer) -> ExitCode {
        let outcome = server.into_server().map_err(Error::from).and_then(|server| {
            let arguments = std::env::args_os().skip(1);
            match cli::Command::parse(arguments).filter(|_| self.command_line) {
                Some(command) => command.run(&server),
                None => run::run(server, &self),
            }
        });
        outcome.unwrap_or_else(|error| {
            // Nobody can be told if this fails.
            let _ = writeln!(io::stderr(), "{}", explain(&error));
            match error {
                Error::Build(_) | Error::AlreadyServing => ExitCode::from(2),
                _ => ExitCode::FAILURE,
            }
        })
    }

    /// Like [`mcp_stdio::serve`](crate::serve), with these options.
    ///
    /// # Errors
    /// When the server is built wrong, when this process has served already, or when reading or writing fails.
    pub async fn serve(self, server: impl IntoServer) -> Result<(), Error> {
        serve::serve(server.into_server()?, &self).await
    }

    /// Like [`mcp_stdio::serve_on`](crate::serve_on), with these options.
    ///
    /// # Errors
    /// When the server is built wrong, or when reading or writing fails.
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

/// The whole chain, and the faults of a server one a line.
fn explain(error: &Error) -> String {
    match error {
        Error::Build(error) => {
            let faults: Vec<String> = error.faults().iter().map(|fault| format!("\n  {fault}")).collect();
            format!("this server is built wrong:{}", faults.concat())
        }
        error => match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    }
}
