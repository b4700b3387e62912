//! Options of the process of the CLI: directory, environment, arguments, timeouts.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::agent::Agent;
use crate::process::Launch;
#[cfg(doc)]
use crate::process::Process;
use crate::transport::{ShutdownTimeouts, Transport};

/// Options of the process of the CLI: directory, environment, arguments, timeouts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) variables: Vec<(OsString, Option<OsString>)>,
    pub(crate) clear: bool,
    pub(crate) extra_args: Vec<(String, Option<OsString>)>,
    pub(crate) shutdown_timeouts: ShutdownTimeouts,
    pub(crate) initialize_timeout: Option<Duration>,
    pub(crate) joins: bool,
}

impl Environment {
    /// Returns the value that the CLI sees of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let changed = self.variables.iter().rev().find(|(changed, _)| changed == name);
        let value = match changed {
            Some((_, value)) => value.clone(),
            None if self.clear => None,
            None => std::env::var_os(name),
        };
        value.filter(|value| !value.is_empty())
    }
}

/// # Environment
impl Agent {
    /// Sets the working directory. The default is that of this program.
    #[must_use]
    pub fn cwd(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.environment.cwd = Some(directory.into());
        self
    }

    /// Sets an environment variable for the CLI. The CLI inherits the environment of this program, except variables
    /// that would change its behaviour: `CLAUDECODE`, `NODE_OPTIONS`, `DEBUG`.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.options.environment.variables.push((name.into(), Some(value.into())));
        self
    }

    /// Removes an environment variable for the CLI.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.options.environment.variables.push((name.into(), None));
        self
    }

    /// Starts from an empty environment. Variables set with [`env`](Self::env) are kept, regardless of the order of the
    /// calls.
    #[must_use]
    pub fn env_clear(mut self) -> Self {
        self.options.environment.clear = true;
        self
    }

    /// Adds a command line argument that has no method: `--name=value`, or `--name` without a value.
    #[must_use]
    pub fn extra_arg(mut self, name: impl Into<String>, value: Option<&str>) -> Self {
        self.options.environment.extra_args.push((name.into(), value.map(OsString::from)));
        self
    }

    /// Sets the program of the CLI. By default, [`Process`](crate::Process) searches for it.
    #[must_use]
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.process = self.process.program(program);
        self
    }

    /// Sets the interpreter for a CLI that is a JavaScript file. The default is `node`.
    #[must_use]
    pub fn interpreter(mut self, program: impl Into<OsString>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.process = self.process.interpreter(program, args);
        self
    }

    /// Adds arguments before all others: for the interpreter of a CLI that is a JavaScript file, else for the CLI itself.
    #[must_use]
    pub fn leading_args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.process = self.process.leading_args(args);
        self
    }

    /// Runs the CLI as another user of this machine, by name. This program must be allowed to: see [`Process::user`].
    #[must_use]
    pub fn user(mut self, name: impl Into<String>) -> Self {
        self.process = self.process.user(name);
        self
    }

    /// Sets a callback that decides which command starts the CLI, for instance in a container: see [`Process::launch`].
    #[must_use]
    pub fn launch(mut self, launch: impl Fn(Launch) -> io::Result<Command> + Send + Sync + 'static) -> Self {
        self.process = self.process.launch(launch);
        self
    }

    /// Sets a listener that is called with every line of the CLI's standard error, except blank ones.
    #[must_use]
    pub fn stderr(mut self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.process = self.process.stderr(listener);
        self
    }

    /// Sets the longest line that is accepted from the CLI, in bytes. The default is 64 MiB.
    #[must_use]
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.process = self.process.line_limit(bytes);
        self
    }

    /// Replaces the transport, which starts the CLI as a child process by default. The options `program`, `interpreter`,
    /// `leading_args`, `user`, `launch`, `stderr` and `line_limit` then have no effect.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport + 'static) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Joins a session that another program has opened, over a [`transport`](Self::transport) to its CLI.
    ///
    /// A CLI that rejects a second `initialize` is then not an error: [`Welcome`](crate::Welcome) is empty. In both cases the
    /// callbacks of this agent get the questions that the CLI has asked and that nobody has answered yet.
    #[must_use]
    pub fn join(mut self) -> Self {
        self.options.environment.joins = true;
        self
    }

    /// Sets the time limits for the shutdown of the CLI.
    #[must_use]
    pub fn shutdown_timeouts(mut self, timeouts: ShutdownTimeouts) -> Self {
        self.options.environment.shutdown_timeouts = timeouts;
        self.process = self.process.shutdown_timeouts(timeouts);
        self
    }

    /// Sets the time limit for the CLI to start and answer `initialize`. The default is 60 s.
    #[must_use]
    pub fn initialize_timeout(mut self, timeout: Duration) -> Self {
        self.options.environment.initialize_timeout = Some(timeout);
        self
    }
}
