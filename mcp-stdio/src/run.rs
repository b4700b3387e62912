//! `run`: a process whose one purpose is to be a server.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::Server;

use crate::alarm::Alarm;
use crate::end::{End, Ending};
use crate::error::Error;
use crate::host::RunHost;
use crate::input::Input;
use crate::lead::Lead;
use crate::options::Stdio;
use crate::output::Output;
use crate::parent::Parent;
use crate::pump::{Next, Pump, lock};
use crate::signals::Signals;
use crate::watchdog::Watchdog;
use crate::wire::Wire;

/// How long calls that were cancelled at the end may take to let go.
const LAST_WORDS: Duration = Duration::from_millis(300);

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
    let wire = Wire::take()?;
    let ending = Arc::new(Ending::new(Alarm::new().map_err(Error::Start)?));
    let (lead, ticket) = Lead::new();
    let output = Arc::new(Output::new(wire.output, ending.clone()));
    let host = Arc::new(RunHost::new(lead, output));
    let session = server.session(host.clone(), host.clone());
    let pump = Pump::new(session, host, Input::new(wire.input, options.max_line), ending);
    // Before anything is answered: who has an answer may send a signal.
    let signals = Signals::listen(&pump.ending.alarm).map_err(Error::Start)?;
    let mut watch = Watch { signals, parent };
    match greet(&pump, &mut watch) {
        Some(end) => pump.ending.announce(end),
        None if pump.crew.prepare(&pump) => pump.crew.hand_over(ticket),
        None => return Err(Error::Start(io::ErrorKind::OutOfMemory.into())),
    }
    let end = supervise(&pump, &mut watch);
    wind_down(&pump, if end.leaves_a_reader() { options.grace } else { Duration::ZERO });
    pump.host.shut_down();
    match end {
        End::Read(error) => Err(Error::Read(error)),
        End::Write(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Write(error)),
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

    fn end(&mut self) -> Option<End> {
        let orphaned = |parent: &mut Parent| parent.is_gone().then_some(End::Orphaned);
        self.signals.came().map(End::Signal).or_else(|| self.parent.as_mut().and_then(orphaned))
    }
}

/// Answers what needs no second thread, such as a handshake, and says if that was all; most servers are idle for a while after
/// it, and should then cost no more than this thread and one that waits for the first call.
///
/// Nothing here may block: it is over with the first call, and with the first reply that the client does not take at once.
fn greet(pump: &Arc<Pump>, watch: &mut Watch) -> Option<End> {
    let mut backlog = 0;
    let mut read = |input: &mut Input| {
        while !pump.ending.alarm.wait_or_read(input, watch.pause()) {
            if let Some(end) = watch.end() {
                return Err(end);
            }
        }
        input.read_on()
    };
    loop {
        match pump.next(&mut backlog, &mut read) {
            Next::Call(later) => {
                *lock(&pump.first) = Some(later);
                return None;
            }
            Next::Flush if pump.host.output.leaves_at_once() => {
                pump.host.output.flush();
                backlog = 0;
                // Now, while the client is busy with the reply. One that is started for the first call begins on another
                // processor than its client and stays there, and every call then waits for a processor to wake up.
                pump.crew.prepare(pump);
            }
            Next::Flush => return None,
            Next::End(end) => return Some(end),
        }
    }
}

/// Watches over the leader, the parent process and the signals until one of them ends it.
fn supervise(pump: &Arc<Pump>, watch: &mut Watch) -> End {
    let mut watchdog = Watchdog::new();
    loop {
        let pause = [watchdog.pause(), watch.pause()].into_iter().flatten().min();
        pump.ending.alarm.wait(pause);
        if let Some(end) = pump.ending.take() {
            return end;
        }
        match watch.end() {
            Some(end) => pump.ending.announce(end),
            None => watchdog.tick(pump),
        }
    }
}

/// Lets what is being worked on finish within the grace, and cancels the rest.
fn wind_down(pump: &Arc<Pump>, grace: Duration) {
    wait_until_idle(pump, grace);
    pump.cancel_all();
    pump.host.output.close();
    wait_until_idle(pump, LAST_WORDS);
    // A client that goes on reading gets all that is answered.
    let (output, mut since) = (&pump.host.output, Instant::now());
    let mut written = output.written();
    while !output.is_empty() && since.elapsed() < PATIENCE {
        pump.ending.alarm.wait(Some(LOOK));
        if written != output.written() {
            (written, since) = (output.written(), Instant::now());
        }
    }
}

fn wait_until_idle(pump: &Arc<Pump>, most: Duration) {
    let start = Instant::now();
    while !pump.is_idle() && start.elapsed() < most {
        pump.ending.alarm.wait(Some(LOOK));
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
