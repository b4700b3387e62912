//! Unix: process groups, folders, file modes and the browser.

use std::env;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// A command that starts a server in a process group of its own.
#[derive(Debug)]
pub(crate) struct ServerCommand(Command);

impl ServerCommand {
    pub(crate) fn new(mut command: Command) -> ServerCommand {
        command.process_group(0);
        ServerCommand(command)
    }

    /// Starts a server.
    pub(crate) fn spawn(&mut self) -> io::Result<ServerProcess> {
        let child = self.0.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok(ServerProcess { child, group })
    }
}

/// A server process, and the processes that it has started.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    child: Child,
    group: Option<Pid>,
}

impl ServerProcess {
    /// Returns the ends of the pipes to the server, once.
    pub(crate) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?))
    }

    /// Returns the process id of the server, or `None` after it was reaped.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for the end of the server, not of the processes that it has started.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Asks all processes to end. Returns false if that is not possible.
    pub(crate) fn terminate(&self) -> bool {
        self.signal(Signal::TERM)
    }

    /// Ends all processes.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) -> bool {
        // An error means that the group has ended.
        self.group.is_some_and(|group| kill_process_group(group, signal).is_ok())
    }
}

/// Returns a builder for folders with the mode 0700.
pub(crate) fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// Returns an error if others can read or write the file.
pub(crate) fn check_mode(file: &File) -> io::Result<()> {
    match file.metadata()?.permissions().mode() & 0o077 {
        0 => Ok(()),
        _ => Err(io::Error::other("others can read or write the file: run chmod 600, or log in again")),
    }
}

/// Returns the folder in which programs keep data of the user.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let home = || env::home_dir().filter(|path| path.is_absolute());
    if cfg!(target_os = "macos") {
        return home().map(|home| home.join("Library/Application Support"));
    }
    let folder = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    folder.or_else(|| home().map(|home| home.join(".local/share")))
}

/// The program that opens a URL in the browser of the user, and its arguments before the URL.
pub(crate) const OPENER: (&str, &[&str]) = (if cfg!(target_os = "macos") { "open" } else { "xdg-open" }, &[]);
