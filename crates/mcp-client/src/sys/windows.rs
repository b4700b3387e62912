//! Windows: job objects. Files are protected by the access list that they inherit from their folder.

use std::env;
use std::fs::{DirBuilder, File};
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

/// A command that starts a server in a job object, without a console window.
#[derive(Debug)]
pub(crate) struct ServerCommand(CommandWrap);

impl ServerCommand {
    pub(crate) fn new(command: Command) -> ServerCommand {
        let mut command = CommandWrap::from(command);
        command.wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(JobObject);
        ServerCommand(command)
    }

    /// Starts a server. It runs only once it is in its job, so no process that it starts is outside.
    pub(crate) fn spawn(&mut self) -> io::Result<ServerProcess> {
        Ok(ServerProcess { job: self.0.spawn()? })
    }
}

/// A server process, and the processes that it has started.
#[derive(Debug)]
pub(crate) struct ServerProcess {
    job: Box<dyn ChildWrapper>,
}

impl ServerProcess {
    /// Returns the ends of the pipes to the server, once.
    pub(crate) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.job.stdin().take()?, self.job.stdout().take()?, self.job.stderr().take()?))
    }

    /// Returns the process id of the server, or `None` after it was reaped.
    pub(crate) fn id(&self) -> Option<u32> {
        self.job.id()
    }

    /// Waits for the end of the server, not of the processes that it has started.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        // The job itself would wait for all its processes.
        self.job.inner_mut().wait().await
    }

    /// Returns false: there is no signal that asks a process without a console to end.
    pub(crate) fn terminate(&self) -> bool {
        false
    }

    /// Ends all processes.
    pub(crate) fn kill(&mut self) {
        // An error means that they have ended.
        let _ = self.job.start_kill();
    }
}

/// Returns a builder for folders.
pub(crate) fn private_folder() -> DirBuilder {
    DirBuilder::new()
}

/// Checks nothing: the access list of a user's folder protects what is in it.
pub(crate) fn check_mode(_: &File) -> io::Result<()> {
    Ok(())
}

/// Returns the folder in which programs keep data of the user.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let absolute = |path: &PathBuf| path.is_absolute();
    let folder = env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(absolute);
    folder.or_else(|| Some(env::home_dir().filter(absolute)?.join("AppData").join("Local")))
}

/// The program that opens a URL in the browser of the user, and its arguments before the URL.
pub(crate) const OPENER: (&str, &[&str]) = ("rundll32", &["url.dll,FileProtocolHandler"]);
