//! The CLI as a child process: the transport that is used when no other is given.

mod child;
mod spill;
mod stderr;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::{oneshot, watch};

use crate::argv::Invocation;
use crate::error::StartError;
use crate::find::find;
use crate::lines::Lines;
use crate::transport::{Connection, Ending, Input, Output, Patience, Peer, Pending, Transport};
use child::Supervisor;
use spill::Spilled;
use stderr::{Listener, Stderr};

/// Starts the CLI as a child process.
///
/// The child leads a process group of its own, so that what it starts ends with it, and a Ctrl-C at the terminal is for
/// this program to handle. Its standard error is always read: the last 8 KiB go into every error. When the connection is
/// dropped, the child is ended step by step in the background; when the runtime goes away as well, it is killed. Either
/// way it is reaped.
#[derive(Debug, Clone, Default)]
pub struct Process {
    program: Option<PathBuf>,
    interpreter: Option<(OsString, Vec<OsString>)>,
    line_limit: Option<usize>,
    listener: Option<Listener>,
    patience: Patience,
}

/// The longest line that is taken by default: 64 MiB.
pub(crate) const LINE_LIMIT: usize = 64 << 20;

impl Process {
    /// The CLI wherever it is found.
    pub fn new() -> Self {
        Self::default()
    }

    /// This program. A bare name is looked for on the `PATH`.
    #[must_use]
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = Some(program.into());
        self
    }

    /// What runs a CLI that is a script in JavaScript: `node` by default.
    #[must_use]
    pub fn interpreter(mut self, program: impl Into<OsString>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.interpreter = Some((program.into(), args.into_iter().map(Into::into).collect()));
        self
    }

    /// The longest line that is taken from the CLI, in bytes: 64 MiB by default.
    #[must_use]
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.line_limit = Some(bytes);
        self
    }

    /// Hears every line of the CLI's standard error. If it panics it is not called again.
    #[must_use]
    pub fn stderr(mut self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.listener = Some(Listener(Arc::new(listener)));
        self
    }

    /// How long the CLI may take to end when its connection is simply dropped.
    #[must_use]
    pub fn patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    fn start(&self, invocation: Invocation) -> Result<Connection, StartError> {
        let program = find(self.program.as_deref())?;
        let spawn_error = |source| StartError::Spawn { program: program.clone(), source };
        let (mut command, files) = self.command(&program, invocation).map_err(spawn_error)?;
        let mut child = command.spawn().map_err(spawn_error)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(spawn_error(io::Error::other("the child has no pipes")));
        };
        let pid = child.id();
        let (gone, is_gone) = watch::channel(false);
        let (order, ordered) = oneshot::channel();
        let (report, ending) = oneshot::channel();
        let stderr = Stderr::drain(stderr, self.listener.clone());
        let supervisor = Supervisor::new(child, files);
        tokio::spawn(supervisor.run(ordered, self.patience, gone, stderr, report));
        Ok(Connection {
            input: Box::new(ProcessInput { stdin: Some(stdin) }),
            output: Box::new(ProcessOutput {
                stdout,
                lines: Lines::new(self.line_limit.unwrap_or(LINE_LIMIT)),
                chunk: vec![0; 64 << 10],
                is_gone,
                at_end: false,
            }),
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
        #[cfg(unix)]
        command.process_group(0);
        Ok((command, files))
    }
}

impl Transport for Process {
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>> {
        Box::pin(async move { self.start(invocation) })
    }
}

struct ProcessInput {
    stdin: Option<ChildStdin>,
}

impl Input for ProcessInput {
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>> {
        Box::pin(async move {
            let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            stdin.write_all(line).await?;
            stdin.write_all(b"\n").await?;
            stdin.flush().await
        })
    }

    fn close(&mut self) -> Pending<'_, io::Result<()>> {
        self.stdin = None;
        Box::pin(std::future::ready(Ok(())))
    }
}

struct ProcessOutput {
    stdout: ChildStdout,
    lines: Lines,
    chunk: Vec<u8>,
    is_gone: watch::Receiver<bool>,
    at_end: bool,
}

/// What a dead child wrote is in the pipe already; this is for the runtime to notice it.
const NOTICE: Duration = Duration::from_millis(100);

impl Output for ProcessOutput {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        Box::pin(async move {
            loop {
                if let Some(line) = self.lines.next().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))? {
                    return Ok(Some(line));
                }
                if self.at_end {
                    return Ok(self.lines.rest());
                }
                // Both branches may be dropped halfway without losing a byte.
                let count = tokio::select! {
                    biased;
                    count = self.stdout.read(&mut self.chunk) => count?,
                    () = noticed_gone(&mut self.is_gone) => 0,
                };
                self.at_end = count == 0;
                self.lines.feed(&self.chunk[..count]);
            }
        })
    }
}

/// Until the child is gone, and a moment more. A grandchild may hold the pipe open for ever.
async fn noticed_gone(is_gone: &mut watch::Receiver<bool>) {
    // An error means that the supervisor is gone too.
    let _ = is_gone.wait_for(|gone| *gone).await;
    tokio::time::sleep(NOTICE).await;
}

struct ProcessPeer {
    pid: Option<u32>,
    order: oneshot::Sender<Patience>,
    ending: oneshot::Receiver<Ending>,
}

impl Peer for ProcessPeer {
    fn pid(&self) -> Option<u32> {
        self.pid
    }

    fn end(self: Box<Self>, patience: Patience) -> Pending<'static, Ending> {
        // Nobody listens when the child ended by itself; its ending is then already on the way.
        let Self { order, ending, .. } = *self;
        let _ = order.send(patience);
        Box::pin(async move { ending.await.unwrap_or_default() })
    }
}
