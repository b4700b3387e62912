//! The default transport: runs the CLI as a child process.

mod argument_file;
mod child;
mod launch;
mod pipe;
mod stderr;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tokio::sync::{oneshot, watch};

use crate::error::StartError;
use crate::find::find;
use crate::invocation::Invocation;
use crate::sys::{self, ProcessTree};
use crate::transport::{Connection, Ending, Peer, Pending, ShutdownTimeouts, Transport};
use argument_file::Spilled;
use child::Supervisor;
pub use launch::Launch;
use launch::Launcher;
use pipe::{ProcessInput, ProcessOutput};
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
    leading_args: Vec<OsString>,
    user: Option<String>,
    launcher: Option<Launcher>,
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

    /// Adds arguments before all others: for the interpreter of a CLI that is a JavaScript file, else for the CLI itself.
    #[must_use]
    pub fn leading_args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.leading_args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Runs the CLI as another user of this machine, by name: with the user's ids and no other groups. The environment stays
    /// that of this program; set `HOME` for the settings and sessions of that user.
    ///
    /// Usually only root may do this. It is an error on Windows.
    #[must_use]
    pub fn user(mut self, name: impl Into<String>) -> Self {
        self.user = Some(name.into());
        self
    }

    /// Sets a callback that decides which command starts the CLI, for instance in a container, over ssh, or with a lower
    /// priority. It gets what would be run, and returns the command to run in its place.
    ///
    /// The command must pass its standard input and output to the CLI unchanged. Those, its supervision and its shutdown stay
    /// with this transport: they are set after the callback, as are the process group and [`user`](Self::user). If no CLI is
    /// found on this machine, the callback gets the program that was [set](Self::program), or `claude`.
    ///
    /// ```
    /// # use mcp_agent::Process;
    /// let nice = Process::new().launch(|launch| Ok(launch.through("nice", ["-n", "10"]).into_command()));
    /// ```
    ///
    /// A command that is built in another way needs the environment of the [`Launch`] too: credentials and many options of
    /// [`Agent`](crate::Agent) are variables. A container or another machine gets only the variables that the command passes on.
    #[must_use]
    pub fn launch(mut self, launch: impl Fn(Launch) -> io::Result<Command> + Send + Sync + 'static) -> Self {
        self.launcher = Some(Launcher(Arc::new(launch)));
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

    /// Returns whether the CLI runs as another user.
    pub(crate) fn has_user(&self) -> bool {
        self.user.is_some()
    }

    fn start(&self, invocation: Invocation) -> Result<Connection, StartError> {
        let program = self.find()?;
        let spawn_error = |source| StartError::Spawn { program: program.clone(), source };
        let owner = self.user.as_deref().map(sys::User::named).transpose().map_err(spawn_error)?;
        let mut files = Vec::new();
        let launch = self.usual(&program, invocation, &mut files).map_err(spawn_error)?;
        if let Some(owner) = owner {
            launch.files.iter().try_for_each(|file| owner.give(file)).map_err(spawn_error)?;
        }
        let command = match &self.launcher {
            Some(Launcher(launcher)) => launcher(launch).map_err(spawn_error)?,
            None => launch.into_command(),
        };
        let mut command = tokio::process::Command::from(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        if let Some(owner) = owner {
            owner.run(&mut command);
        }
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

    /// Finds the CLI. With a callback that starts it elsewhere, it need not be on this machine.
    fn find(&self) -> Result<PathBuf, StartError> {
        match find(self.program.as_deref()) {
            Err(StartError::NotFound { .. }) if self.launcher.is_some() => {
                Ok(self.program.clone().unwrap_or_else(|| PathBuf::from(sys::CLAUDE)))
            }
            found => found,
        }
    }

    /// Returns how the CLI is started without a callback.
    fn usual(&self, cli: &Path, invocation: Invocation, files: &mut Vec<Spilled>) -> io::Result<Launch> {
        let is_script = cli.extension().is_some_and(|extension| ["js", "mjs", "cjs"].iter().any(|js| extension == *js));
        let (program, mut args) = match (&self.interpreter, is_script) {
            (Some((interpreter, args)), true) => (PathBuf::from(interpreter), args.clone()),
            (None, true) => (PathBuf::from("node"), Vec::new()),
            (_, false) => (cli.to_owned(), Vec::new()),
        };
        args.extend(self.leading_args.iter().cloned());
        args.extend(is_script.then(|| cli.as_os_str().to_owned()));
        for arg in &invocation.args {
            args.push(argument_file::argument(arg, files)?);
        }
        Ok(Launch {
            program,
            args,
            env: invocation.env,
            clear_env: invocation.clear_env,
            cwd: invocation.cwd,
            files: files.iter().map(|file| file.path().to_owned()).collect(),
        })
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
