//! The default transport: runs the CLI as a child process.

mod child;
mod pipe;
mod spill;
mod stderr;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;

use tokio::process::Command;
use tokio::sync::{oneshot, watch};

use crate::error::StartError;
use crate::find::find;
use crate::invocation::Invocation;
use crate::sys::ProcessTree;
use crate::transport::{Connection, Ending, Peer, Pending, ShutdownTimeouts, Transport};
use child::Supervisor;
use pipe::{ProcessInput, ProcessOutput};
use spill::Spilled;
use stderr::{Listener, Stderr};

/// Runs the CLI as a child process.
///
/// The CLI is the given [`program`](Self::program), else the one named by `CLAUDE_BIN`, else the first existing file of
/// `~/.claude/local/claude`, `~/.local/bin/claude`, `/usr/local/bin/claude`, `claude` on the `PATH`, and the npm package
/// of this platform in a `node_modules` of the working directory or its parents. On Windows these are files named
/// `claude.exe`, and `~` is `%USERPROFILE%`. Batch files are never run: their interpreter would parse the arguments a
/// second time. A batch file of npm stands for the program or script that it starts; others are rejected.
///
/// The child leads its own process group, on Windows a job object without a console window. So the processes it starts
/// end with it, and Ctrl-C at the terminal only reaches this program. At the end the input of the child is closed; a
/// child that stays gets SIGTERM and then SIGKILL, and on Windows its job is terminated. The standard error of the child is always read, and its last 8 KiB are part of
/// every error. When the connection is dropped, the child is shut down in the background; when the runtime shuts down
/// too, it is killed. In both cases it is reaped.
#[derive(Debug, Clone, Default)]
pub struct Process {
    program: Option<PathBuf>,
    interpreter: Option<(OsString, Vec<OsString>)>,
    line_limit: Option<usize>,
    listener: Option<Listener>,
    shutdown_timeouts: ShutdownTimeouts,
}

/// The default limit for the length of a line: 64 MiB.
pub(crate) const LINE_LIMIT: usize = 64 << 20;

impl Process {
    /// Creates a transport that searches for the CLI.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the program to run. A bare name is searched on the `PATH`.
    #[must_use]
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = Some(program.into());
        self
    }

    /// Sets the interpreter for a CLI that is a JavaScript file. The default is `node`.
    #[must_use]
    pub fn interpreter(mut self, program: impl Into<OsString>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.interpreter = Some((program.into(), args.into_iter().map(Into::into).collect()));
        self
    }

    /// Sets the longest line that is accepted from the CLI, in bytes. The default is 64 MiB.
    #[must_use]
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.line_limit = Some(bytes);
        self
    }

    /// Sets a listener that is called with every line of the CLI's standard error, except blank ones. After a panic it
    /// is not called again.
    #[must_use]
    pub fn stderr(mut self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.listener = Some(Listener(Arc::new(listener)));
        self
    }

    /// Sets the time limits for the shutdown of the CLI if its connection is dropped.
    #[must_use]
    pub fn shutdown_timeouts(mut self, timeouts: ShutdownTimeouts) -> Self {
        self.shutdown_timeouts = timeouts;
        self
    }

    fn start(&self, invocation: Invocation) -> Result<Connection, StartError> {
        let program = find(self.program.as_deref())?;
        let spawn_error = |source| StartError::Spawn { program: program.clone(), source };
        let (command, files) = self.command(&program, invocation).map_err(spawn_error)?;
        let mut tree = ProcessTree::spawn(command).map_err(spawn_error)?;
        let Some((stdin, stdout, stderr)) = tree.pipes() else {
            return Err(spawn_error(io::Error::other("the child has no pipes")));
        };
        let pid = tree.id();
        let (gone, is_gone) = watch::channel(false);
        let (order, ordered) = oneshot::channel();
        let (report, ending) = oneshot::channel();
        let stderr = Stderr::drain(stderr, self.listener.clone());
        let supervisor = Supervisor::new(tree, files);
        tokio::spawn(supervisor.run(ordered, self.shutdown_timeouts, gone, stderr, report));
        Ok(Connection {
            input: Box::new(ProcessInput::new(stdin)),
            output: Box::new(ProcessOutput::new(stdout, self.line_limit.unwrap_or(LINE_LIMIT), is_gone)),
            peer: Box::new(ProcessPeer { pid, order, ending }),
        })
    }

    fn command(&self, program: &PathBuf, invocation: Invocation) -> io::Result<(Command, Vec<Spilled>)> {
        let script = program.extension().is_some_and(|extension| ["js", "mjs", "cjs"].iter().any(|js| extension == *js));
        let mut command = match (&self.interpreter, script) {
            (Some((interpreter, args)), true) => {
                let mut command = Command::new(interpreter);
                command.args(args).arg(program);
                command
            }
            (None, true) => {
                let mut command = Command::new("node");
                command.arg(program);
                command
            }
            (_, false) => Command::new(program),
        };
        let mut files = Vec::new();
        for arg in &invocation.args {
            command.arg(spill::argument(arg, &mut files)?);
        }
        if invocation.clear_env {
            command.env_clear();
        }
        for (name, value) in &invocation.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(cwd) = &invocation.cwd {
            command.current_dir(cwd).env(OsStr::new("PWD"), cwd);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        Ok((command, files))
    }
}

impl Transport for Process {
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        Box::pin(async move { self.start(invocation) })
    }
}

struct ProcessPeer {
    pid: Option<u32>,
    order: oneshot::Sender<ShutdownTimeouts>,
    ending: oneshot::Receiver<Ending>,
}

impl Peer for ProcessPeer {
    fn pid(&self) -> Option<u32> {
        self.pid
    }

    fn end(self: Box<Self>, timeouts: ShutdownTimeouts) -> Pending<'static, Ending> {
        // Sending fails if the child has exited by itself; its ending is then already in the channel.
        let Self { order, ending, .. } = *self;
        let _ = order.send(timeouts);
        Box::pin(async move { ending.await.unwrap_or_default() })
    }
}
