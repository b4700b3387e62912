//! Windows: job objects. Files are protected by the access list that they inherit from their folder.

use std::env;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

/// Another user of this machine. Programs cannot be started as one here.
#[derive(Debug, Clone, Copy)]
pub(crate) enum User {}

impl User {
    /// Returns an error.
    pub(crate) fn named(_: &str) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a program cannot be run as another user on Windows"))
    }

    /// Is never called.
    pub(crate) fn run(self, _: &mut Command) {
        match self {}
    }

    /// Is never called.
    pub(crate) fn give(self, _: &Path) -> io::Result<()> {
        match self {}
    }
}

/// A child process in a job object, and all processes that it starts. Dropping it ends them.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    job: Box<dyn ChildWrapper>,
    // Afterwards the job has no processes; the child may still have to be reaped.
    is_killed: bool,
}

impl ProcessTree {
    /// Starts the child, without a console window. It runs only once it is in the job, so no process can escape from it.
    pub(crate) fn spawn(command: Command) -> io::Result<Self> {
        let mut command = CommandWrap::from(command);
        command.wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(KillOnDrop).wrap(JobObject);
        Ok(Self { job: command.spawn()?, is_killed: false })
    }

    /// Returns the ends of the pipes to the child, once.
    pub(crate) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.job.stdin().take()?, self.job.stdout().take()?, self.job.stderr().take()?))
    }

    /// Returns the process id of the child, or `None` after it was reaped.
    pub(crate) fn id(&self) -> Option<u32> {
        self.job.id()
    }

    /// Waits for the end of the child, not of the others.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        // The job itself would wait for all its processes.
        self.job.inner_mut().wait().await
    }

    /// Returns the status of the child if it has ended.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.job.inner_mut().try_wait()
    }

    /// Returns false: processes without a console in common cannot be asked to end. The end of their input is the only request.
    pub(crate) fn terminate(&self) -> bool {
        false
    }

    /// Ends all processes.
    pub(crate) fn kill(&mut self) {
        self.is_killed = self.job.start_kill().is_ok();
    }

    /// Returns whether a process may be left.
    pub(crate) fn exists(&self) -> bool {
        !self.is_killed
    }
}

/// The environment variable with the folder of the user.
pub(crate) const HOME: &str = "USERPROFILE";

/// Returns the folder of the user.
pub(crate) fn home() -> Option<PathBuf> {
    env::var_os(HOME).filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// Returns the folder for settings of the user.
pub(crate) fn settings_folder() -> Option<PathBuf> {
    env::var_os("APPDATA").map(PathBuf::from)
}

/// The folder of an administrator's settings.
pub(crate) const MANAGED_SETTINGS: &str = r"C:\Program Files\ClaudeCode";

/// The file name of the CLI.
pub(crate) const CLAUDE: &str = "claude.exe";

/// Whether this program was built for musl: never on Windows.
pub(crate) const IS_MUSL: bool = false;

/// Windows has no such folder.
pub(crate) const PROGRAMS: Option<&str> = None;

/// Returns options that create a new file. In a user's folder, only the user, administrators and the system can read it.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true).create_new(true);
    options
}

/// Returns a builder of folders.
pub(crate) fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    builder
}

/// Checks nothing: the access list of a user's folder protects what is in it.
pub(crate) fn check_private_file(_: &Metadata) -> Result<(), &'static str> {
    Ok(())
}

/// Checks nothing: the access list of a user's folder protects what is in it.
pub(crate) fn check_private_folder(_: &Metadata) -> Result<(), &'static str> {
    Ok(())
}

/// Nothing to do: Windows decides by the file extension.
#[cfg(test)]
pub(crate) fn make_executable(_: &std::path::Path) {}
