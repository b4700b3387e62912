//! Where and how the CLI runs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::agent::Agent;
use crate::transport::{Patience, Transport};

/// Where and how the CLI runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) variables: Vec<(OsString, Option<OsString>)>,
    pub(crate) clear: bool,
    pub(crate) extra_args: Vec<(String, Option<OsString>)>,
    pub(crate) patience: Patience,
    pub(crate) initialize_timeout: Option<Duration>,
}

/// Environment
impl Agent {
    /// The working directory; this program's own by default.
    #[must_use]
    pub fn cwd(mut self, directory: impl Into<PathBuf>) -> Self {
        self.options.environment.cwd = Some(directory.into());
        self
    }

    /// Sets a variable for the CLI. The rest of the environment is this program's own, but for what would confuse a CLI
    /// (`CLAUDECODE`, `NODE_OPTIONS`, `DEBUG`).
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.options.environment.variables.push((name.into(), Some(value.into())));
        self
    }

    /// Removes a variable for the CLI.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.options.environment.variables.push((name.into(), None));
        self
    }

    /// Starts from an empty environment. What was set before or is set after this counts all the same.
    #[must_use]
    pub fn env_clear(mut self) -> Self {
        self.options.environment.clear = true;
        self
    }

    /// An argument that has no method here: `--name=value`, or `--name` without a value.
    #[must_use]
    pub fn extra_arg(mut self, name: impl Into<String>, value: Option<&str>) -> Self {
        self.options.environment.extra_args.push((name.into(), value.map(OsString::from)));
        self
    }

    /// The CLI to start; found by itself by default (see [`Process`](crate::Process)).
    #[must_use]
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.process = self.process.program(program);
        self
    }

    /// What runs a CLI that is a script in JavaScript: `node` by default.
    #[must_use]
    pub fn interpreter(mut self, program: impl Into<OsString>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.process = self.process.interpreter(program, args);
        self
    }

    /// Hears every line of the CLI's standard error, except blank ones.
    #[must_use]
    pub fn stderr(mut self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.process = self.process.stderr(listener);
        self
    }

    /// The longest line that is taken from the CLI, in bytes: 64 MiB by default.
    #[must_use]
    pub fn line_limit(mut self, bytes: usize) -> Self {
        self.process = self.process.line_limit(bytes);
        self
    }

    /// Reaches the CLI in another way than by starting it here. What is said of the program, its interpreter, its standard
    /// error and its lines then has no effect.
    #[must_use]
    pub fn transport(mut self, transport: impl Transport + 'static) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// How long the CLI may take to end.
    #[must_use]
    pub fn patience(mut self, patience: Patience) -> Self {
        self.options.environment.patience = patience;
        self.process = self.process.patience(patience);
        self
    }

    /// How long the CLI may take to start; 60 s by default.
    #[must_use]
    pub fn initialize_timeout(mut self, timeout: Duration) -> Self {
        self.options.environment.initialize_timeout = Some(timeout);
        self
    }
}
