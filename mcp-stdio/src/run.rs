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
use crate::pump::Pump;
use crate::signals::Signals;
use crate::watchdog::Watchdog;
use crate::wire::Wire;

/// How long calls that were cancelled at the end may take to let go, and their client to take the last replies.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// How often the end looks whether everything is done.
const LOOK: Duration = Duration::from_millis(2);

/// Serves until the end, and says how it ended.
///
/// The threads that read and run calls are never waited for: one of them may be stuck in a tool for ever.
pub(crate) fn run(server: Server, options: &Stdio) -> Result<ExitCode, Error> {
    if io::stdin().is_terminal() {
        hint(&server, options.command_line);
    }
    // Before anything is read: a client that is gone right after its first message must be missed too.
    let parent = options.watch_parent.then(Parent::now);
    let wire = Wire::take()?;
    let ending = Arc::new(Ending::new(Alarm::new().map_err(Error::Start)?));
    let (lead, ticket) = Lead::new();
    let output = Arc::new(Output::new(wire.output, ending.clone()));
    let host = Arc::new(RunHost::new(lead, output));
    let session = server.session(host.clone(), host.clone());
    let pump = Pump::new(session, host, Input::new(wire.input, options.max_line), ending);
    if !pump.crew.prepare(&pump) {
        return Err(Error::Start(io::ErrorKind::OutOfMemory.into()));
    }
    pump.crew.hand_over(ticket);

    // The first messages are being read meanwhile.
    let signals = Signals::listen(&pump.ending.alarm).map_err(Error::Start)?;
    let end = supervise(&pump, &signals, parent);
    wind_down(&pump, if end.leaves_a_reader() { options.grace } else { Duration::ZERO });
    pump.host.shut_down();
    match end {
        End::Read(error) => Err(Error::Read(error)),
        End::Write(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Write(error)),
        end => Ok(end.exit_code()),
    }
}

/// Watches over the leader, the parent process and the signals until one of them ends it.
fn supervise(pump: &Arc<Pump>, signals: &Signals, mut parent: Option<Parent>) -> End {
    let mut watchdog = Watchdog::new();
    loop {
        let pause = [watchdog.pause(), parent.as_ref().map(Parent::pause)].into_iter().flatten().min();
        pump.ending.alarm.wait(pause);
        if let Some(end) = pump.ending.take() {
            return end;
        }
        if let Some(signal) = signals.came() {
            pump.ending.announce(End::Signal(signal));
        } else if parent.as_mut().is_some_and(Parent::is_gone) {
            pump.ending.announce(End::Orphaned);
        } else {
            watchdog.tick(pump);
        }
    }
}

/// Lets what is being worked on finish within the grace, and cancels the rest.
fn wind_down(pump: &Arc<Pump>, grace: Duration) {
    wait_until_idle(pump, grace);
    pump.cancel_all();
    wait_until_idle(pump, LAST_WORDS);
}

fn wait_until_idle(pump: &Arc<Pump>, most: Duration) {
    let start = Instant::now();
    while !pump.is_idle() && start.elapsed() < most {
        pump.ending.alarm.wait(Some(LOOK));
    }
}

/// Says what this is to somebody who started it by hand.
fn hint(server: &Server, command_line: bool) {
    let name = &server.info().name;
    let program = std::env::current_exe().map_or_else(|_| name.clone(), |path| path.display().to_string());
    let mut text = format!(
        "{name} is an MCP server: it speaks JSON-RPC on standard input and output, one message a line.\n\
         Add it to Claude Code:  claude mcp add {name} -- {program}\n"
    );
    if command_line {
        text += &format!(
            "Try it by hand:         {program} tools\n                        {program} call TOOL NAME=VALUE ...\n"
        );
    }
    // Nobody can be told if this fails.
    let _ = writeln!(io::stderr(), "{text}Now it waits for messages; end it with ctrl-d.");
}
