//! `run`: a process whose one purpose is to be a server.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::Server;

use crate::driver::host::RunHost;
use crate::driver::leader::Leadership;
use crate::driver::shutdown::{Shutdown, ShutdownReason};
use crate::driver::watchdog::Watchdog;
use crate::driver::{Driver, Next, lock};
use crate::error::Error;
use crate::io::input::Input;
use crate::io::output::Output;
use crate::options::Stdio;
use crate::sys::parent::Parent;
use crate::sys::signals::Signals;
use crate::sys::unix::Streams;
use crate::sys::wakeup::Wakeup;

/// How long calls that were cancelled at the end may take to let go.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(300);

/// How long a client may take nothing of the last replies. With the grace and the last words it makes less than two seconds.
pub(crate) const PATIENCE: Duration = Duration::from_millis(500);

/// How often the end looks whether everything is done.
const LOOK: Duration = Duration::from_millis(2);

/// Serves until the end, and says how it ended.
///
/// The threads that read and run calls are never waited for: one of them may be stuck in a tool for ever.
pub(crate) fn run(server: Server, options: &Stdio) -> Result<ExitCode, Error> {
    if io::stdin().is_terminal() {
        hint(&server);
    }
    warn_of_abort();
    // Before anything is read: a client that is gone right after its first message must be missed too.
    let parent = options.watch_parent.then(Parent::now);
    let wire = Streams::take()?;
    let shutdown = Arc::new(Shutdown::new(Wakeup::new().map_err(Error::Start)?));
    let (lead, ticket) = Leadership::new();
    let output = Arc::new(Output::new(wire.output, shutdown.clone()));
    let host = Arc::new(RunHost::new(lead, output));
    let session = server.session(host.clone(), host.clone());
    let driver = Driver::new(session, host, Input::new(wire.input, options.max_line), shutdown);
    // Before anything is answered: who has an answer may send a signal.
    let signals = Signals::listen(&driver.shutdown.wakeup).map_err(Error::Start)?;
    let mut watch = Watch { signals, parent };
    match greet(&driver, &mut watch) {
        Some(end) => driver.shutdown.request(end),
        None if driver.reader_threads.ensure_standby(&driver) => driver.reader_threads.hand_over(ticket),
        None => return Err(Error::Start(io::ErrorKind::OutOfMemory.into())),
    }
    let end = supervise(&driver, &mut watch);
    wind_down(&driver, if end.client_may_read() { options.grace } else { Duration::ZERO });
    driver.host.shut_down();
    match end {
        ShutdownReason::Read(error) => Err(Error::Read(error)),
        ShutdownReason::Write(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Write(error)),
        end => Ok(end.exit_code()),
    }
}

/// What ends a server from outside, beside its client.
struct Watch {
    signals: Signals,
    parent: Option<Parent>,
}

impl Watch {
    fn pause(&self) -> Option<Duration> {
        self.parent.as_ref().map(Parent::pause)
    }

    fn end(&mut self) -> Option<ShutdownReason> {
        let orphaned = |parent: &mut Parent| parent.is_gone().then_some(ShutdownReason::Orphaned);
        self.signals.received().map(ShutdownReason::Signal).or_else(|| self.parent.as_mut().and_then(orphaned))
    }
}

/// Answers what needs no second thread, such as a handshake, and says if that was all; most servers are idle for a while after
/// it, and should then cost no more than this thread and one that waits for the first call.
///
/// Nothing here may block: it is over with the first call, and with the first reply that the client does not take at once.
fn greet(driver: &Arc<Driver>, watch: &mut Watch) -> Option<ShutdownReason> {
    let mut backlog = 0;
    let mut read = |input: &mut Input| {
        while !driver.shutdown.wakeup.wait_for_input(input, watch.pause()) {
            if let Some(end) = watch.end() {
                return Err(end);
            }
        }
        input.read_chunk()
    };
    loop {
        match driver.next_step(&mut backlog, &mut read) {
            Next::Call(later) => {
                *lock(&driver.first_call) = Some(later);
                return None;
            }
            Next::Flush if driver.host.output.can_flush_without_blocking() => {
                driver.host.output.flush();
                backlog = 0;
                // Now, while the client is busy with the reply. One that is started for the first call begins on another
                // processor than its client and stays there, and every call then waits for a processor to wake up.
                driver.reader_threads.ensure_standby(driver);
            }
            Next::Flush => return None,
            Next::Shutdown(end) => return Some(end),
        }
    }
}

/// Watches over the leader, the parent process and the signals until one of them ends it.
fn supervise(driver: &Arc<Driver>, watch: &mut Watch) -> ShutdownReason {
    let mut watchdog = Watchdog::new();
    loop {
        let pause = [watchdog.pause(), watch.pause()].into_iter().flatten().min();
        driver.shutdown.wakeup.wait(pause);
        if let Some(end) = driver.shutdown.take_reason() {
            return end;
        }
        match watch.end() {
            Some(end) => driver.shutdown.request(end),
            None => watchdog.tick(driver),
        }
    }
}

/// Lets what is being worked on finish within the grace, and cancels the rest.
fn wind_down(driver: &Arc<Driver>, grace: Duration) {
    wait_until_idle(driver, grace);
    driver.cancel_all();
    driver.host.output.close();
    wait_until_idle(driver, CANCEL_TIMEOUT);
    // A client that goes on reading gets all that is answered.
    let (output, mut since) = (&driver.host.output, Instant::now());
    let mut written = output.written();
    while !output.is_empty() && since.elapsed() < PATIENCE {
        driver.shutdown.wakeup.wait(Some(LOOK));
        if written != output.written() {
            (written, since) = (output.written(), Instant::now());
        }
    }
}

fn wait_until_idle(driver: &Arc<Driver>, most: Duration) {
    let start = Instant::now();
    while !driver.is_idle() && start.elapsed() < most {
        driver.shutdown.wakeup.wait(Some(LOOK));
    }
}

/// The compiler says the same where tools are listed, but not everybody who starts a server has built it.
pub(crate) fn warn_of_abort() {
    if cfg!(panic = "abort") {
        tracing::warn!("built with `panic = \"abort\"`: a tool that panics ends this server");
    }
}

/// Says what this is to somebody who types its input.
fn hint(server: &Server) {
    let name = &server.info().name;
    // Nobody can be told if this fails.
    let _ = writeln!(
        io::stderr(),
        "{name} waits for JSON-RPC messages, one a line; end it with ctrl-d. --help says what else it can do."
    );
}
