//! Child processes that speak over standard input and output.

use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{Command as StdCommand, Stdio as Pipe};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{ChildStdout, Command};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::stream::{enqueue, post, read_lines, start_writer, until_closing};
use super::{Boxed, Failure, Link, Outgoing, Transport};
use crate::error::ConnectError;
use crate::inbox::Inbox;
use crate::observe::OnStderr;
use crate::sys::{ServerCommand, ServerProcess};

/// The time limit for each step of the shutdown: end of input, SIGTERM (on Unix), end of all processes.
const SHUTDOWN_STEP_TIMEOUT: Duration = Duration::from_secs(2);

/// The time limit for a process to exit after its output has ended, so that its exit status can be reported.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The time limit for reading the rest of standard error after a process has ended. A child of the process may keep the pipe open.
const STDERR_TIMEOUT: Duration = Duration::from_millis(400);

/// The maximum number of bytes of standard error that are kept for error messages.
const STDERR_LENGTH: usize = 8 << 10;

/// Variables that a server process gets by default: none of them is secret, and programs need them to start and to find folders.
const INHERITED_VARIABLES: [&str; 22] = [
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    // Windows.
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERPROFILE",
];

/// A command that is started for each connection.
pub(crate) struct Stdio {
    command: Mutex<ServerCommand>,
    program: String,
    limit: usize,
    on_stderr: Option<OnStderr>,
}

impl Stdio {
    pub(crate) fn new(mut command: StdCommand, inherit_env: bool, limit: usize, on_stderr: Option<OnStderr>) -> Stdio {
        if !inherit_env {
            restrict_env(&mut command);
        }
        let program = command.get_program().to_string_lossy().into_owned();
        let mut command = Command::from(command);
        command.stdin(Pipe::piped()).stdout(Pipe::piped()).stderr(Pipe::piped()).kill_on_drop(true);
        Stdio { command: Mutex::new(ServerCommand::new(command)), program, limit, on_stderr }
    }
}

/// Clears the environment, except for the inherited variables and those that were set on the command.
fn restrict_env(command: &mut StdCommand) {
    let set: Vec<(OsString, Option<OsString>)> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned))).collect();
    command.env_clear();
    command.envs(INHERITED_VARIABLES.iter().filter_map(|name| std::env::var_os(name).map(|value| (name, value))));
    for (name, value) in set {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

impl Transport for Stdio {
    fn open(&self, inbox: Inbox) -> Boxed<'_, Result<Arc<dyn Link>, ConnectError>> {
        Box::pin(async move {
            let spawned = self.command.lock().unwrap_or_else(PoisonError::into_inner).spawn();
            let mut child = spawned.map_err(|error| ConnectError::Start { program: self.program.clone(), error })?;
            let Some((stdin, stdout, stderr)) = child.pipes() else {
                let error = io::Error::other("its pipes are missing");
                return Err(ConnectError::Start { program: self.program.clone(), error });
            };
            let tail = Arc::new(StderrTail::default());
            let stderr = tokio::spawn(keep_tail(stderr, tail.clone(), self.on_stderr.clone()));
            let (queue, closing) = start_writer(stdin, &inbox);
            let done = watch::Sender::new(false);
            let id = child.id();
            let process = Process { child, stderr, tail, inbox, limit: self.limit };
            let (closed, is_done) = (closing.subscribe(), done.subscribe());
            tokio::spawn(async move {
                process.supervise(stdout, closed).await;
                done.send_replace(true);
            });
            Ok(Arc::new(StdioLink { queue, closing, id, done: is_done }) as Arc<dyn Link>)
        })
    }
}

struct StdioLink {
    queue: mpsc::Sender<Outgoing>,
    closing: watch::Sender<bool>,
    id: Option<u32>,
    /// Whether the process has ended.
    done: watch::Receiver<bool>,
}

impl Link for StdioLink {
    fn exchange(&self, message: Outgoing) -> Boxed<'_, Result<(), Failure>> {
        Box::pin(enqueue(&self.queue, message))
    }

    fn post(self: Arc<Self>, message: Outgoing) {
        post(&self.queue, message);
    }

    fn process_id(&self) -> Option<u32> {
        self.id
    }

    fn close(&self) -> Boxed<'_, ()> {
        self.closing.send_replace(true);
        let mut done = self.done.clone();
        Box::pin(async move {
            // An error means that the task has ended, and the process too.
            let _ = done.wait_for(|done| *done).await;
        })
    }
}

/// A running server process.
struct Process {
    child: ServerProcess,
    /// The task that reads standard error.
    stderr: JoinHandle<()>,
    tail: Arc<StderrTail>,
    inbox: Inbox,
    limit: usize,
}

impl Process {
    /// Reads messages until the process ends or the link is closed, then ends the process.
    async fn supervise(mut self, stdout: ChildStdout, mut closed: watch::Receiver<bool>) {
        let reason = {
            let mut reading = std::pin::pin!(read_lines(stdout, &self.inbox, self.limit));
            tokio::select! {
                end = &mut reading => Some(end.err()),
                _ = self.child.wait() => {
                    // Reads the output that is left, until the timeout if a child of the process keeps the pipe open.
                    let _ = timeout(EXIT_TIMEOUT, &mut reading).await;
                    Some(None)
                }
                () = until_closing(&mut closed) => None,
            }
        };
        match reason {
            None => self.inbox.lose("the client was closed"),
            Some(error) => {
                let status = timeout(EXIT_TIMEOUT, self.child.wait()).await;
                let _ = timeout(STDERR_TIMEOUT, &mut self.stderr).await;
                let what = match (status, error) {
                    (Ok(Ok(status)), _) => format!("the server process ended: {status}"),
                    (_, Some(error)) => format!("cannot read from the server process: {error}"),
                    _ => "the server process closed its standard output".to_owned(),
                };
                self.inbox.lose(&format!("{what}{}", self.tail.to_text()));
            }
        }
        self.end().await;
    }

    /// Waits for the process to exit after the end of its input. Ends it and the processes that it has started if it does not.
    async fn end(&mut self) {
        if self.exits().await || (self.child.terminate() && self.exits().await) {
            return;
        }
        self.child.kill();
        self.exits().await;
    }

    /// Returns whether the process exits in time.
    async fn exits(&mut self) -> bool {
        timeout(SHUTDOWN_STEP_TIMEOUT, self.child.wait()).await.is_ok()
    }
}

/// The last bytes of standard error.
#[derive(Debug, Default)]
struct StderrTail(Mutex<Vec<u8>>);

impl StderrTail {
    fn push(&self, bytes: &[u8]) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(bytes);
        let excess = tail.len().saturating_sub(STDERR_LENGTH);
        tail.drain(..excess);
    }

    /// Returns the last bytes of standard error as a part of an error message.
    fn to_text(&self) -> String {
        let tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match String::from_utf8_lossy(&tail).trim() {
            "" => String::new(),
            text => format!("\nthe end of its standard error:\n{text}"),
        }
    }
}

/// Reads standard error, so that the process is never blocked by a full pipe.
async fn keep_tail(mut stderr: impl AsyncRead + Unpin, tail: Arc<StderrTail>, observer: Option<OnStderr>) {
    let mut buffer = vec![0; STDERR_LENGTH];
    while let Ok(length @ 1..) = stderr.read(&mut buffer).await {
        tail.push(&buffer[..length]);
        if let Some(receive) = &observer {
            receive(&buffer[..length]);
        }
    }
}
