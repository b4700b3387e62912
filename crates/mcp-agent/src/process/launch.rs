//! The command that starts the CLI.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

/// How the CLI would be started. A callback of [`Process::launch`](super::Process::launch) gets it.
#[non_exhaustive]
pub struct Launch {
    /// The program: the CLI, or the interpreter of a CLI that is a JavaScript file.
    pub program: PathBuf,
    /// The arguments of the program.
    pub args: Vec<OsString>,
    /// Changes to the environment, applied in order: `Some` sets the variable, `None` removes it.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Whether the environment starts empty instead of inheriting that of this process.
    pub clear_env: bool,
    /// The working directory. `None` inherits that of this process.
    pub cwd: Option<PathBuf>,
    /// Files that the arguments name. They exist until the CLI has exited, and only this user can read them.
    pub files: Vec<PathBuf>,
}

impl Launch {
    /// Makes another program start the CLI: the program and the arguments of the CLI become the last arguments of `program`.
    /// Environment and directory stay as they are.
    #[must_use]
    pub fn through(mut self, program: impl Into<PathBuf>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        let cli = std::mem::replace(&mut self.program, program.into());
        self.args = args.into_iter().map(Into::into).chain([cli.into_os_string()]).chain(self.args).collect();
        self
    }

    /// Returns the command that is run without a callback.
    pub fn into_command(self) -> Command {
        let mut command = Command::new(self.program);
        command.args(self.args);
        if self.clear_env {
            command.env_clear();
        }
        for (name, value) in self.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(cwd) = self.cwd {
            command.env(OsStr::new("PWD"), &cwd).current_dir(cwd);
        }
        command
    }
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The environment is left out: it may hold secrets.
        f.debug_struct("Launch").field("program", &self.program).field("args", &self.args).finish_non_exhaustive()
    }
}

/// A callback that decides which command starts the CLI.
#[derive(Clone)]
pub(super) struct Launcher(pub(super) Arc<dyn Fn(Launch) -> io::Result<Command> + Send + Sync>);

impl fmt::Debug for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Launcher(..)")
    }
}
