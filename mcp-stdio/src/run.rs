//! `run`: a process that only serves.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::Server;

use crate::driver::host::RunHost;
use crate::driver::shared::Shared;
use crate::driver::shutdown::ShutdownReason;
use crate::driver::state::State;
use crate::driver::{Driver, READER_THREADS};
use crate::error::Error;
use crate::io::input::Input;
use crate::io::queue::{LIMIT, Queue};
use crate::io::streams::Streams;
use crate::options::Stdio;
use crate::sys::{self, Parent};

/// Serves until the shutdown. Returns the exit status.
///
/// Does not wait for the reader threads: one of them is blocked in `read`, others may be blocked in a tool.
pub(crate) fn run(server: Server, options: &Stdio) -> Result<ExitCode, Error> {
    if io::stdin().is_terminal() {
        print_hint(&server);
    }
    warn_of_abort();
    // Before anything is read: a client may exit right after its first message.
    let parent = options.watch_parent.then(Parent::current);
    let streams = Streams::take()?;
    let input = Box::new(Input::new(streams.input, options.max_line));
    let shared = Arc::new(Shared::new(State::new(input, Queue::new(LIMIT), READER_THREADS), streams.output));
    // Before anything is answered: a client that has an answer may send a signal.
    let signalled = shared.clone();
    sys::on_termination(move |status| {
        signalled.with(|state| state.request_shutdown(ShutdownReason::Signal(status)));
    })
    .map_err(Error::Start)?;
    let host = Arc::new(RunHost::new(shared.clone()));
    let session = server.session(host.clone(), host.clone());
    let driver = Driver::new(session, host.clone(), shared);
    driver.ensure_reader_thread().map_err(Error::Start)?;
    let reason = driver.supervise(parent.as_ref());
    driver.drain(if reason.client_may_read() { options.grace } else { Duration::ZERO });
    host.shut_down();
    reason.into_exit_code()
}

/// Prints a warning about `panic = "abort"`. The compiler warns too, but a user who runs a prebuilt server does not see that.
pub(crate) fn warn_of_abort() {
    if cfg!(panic = "abort") {
        tracing::warn!("built with `panic = \"abort\"`: a tool that panics ends this server");
    }
}

/// Prints what this program expects, for a user who types the input.
fn print_hint(server: &Server) {
    let name = &server.info().name;
    // If stderr is closed, there is no place to report that.
    let _ = writeln!(
        io::stderr(),
        "{name} waits for JSON-RPC messages, one on each line; ctrl-d ends it. --help lists what else it can do."
    );
}
