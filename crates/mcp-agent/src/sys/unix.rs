//! Unix: process groups, signals and file modes.

use std::env;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, geteuid, kill_process_group, test_kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// A child process that leads a process group, and the processes in the group.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    child: Child,
    // The pid of the child.
    group: Option<Pid>,
}

impl ProcessTree {
    /// Starts the child.
    pub(crate) fn spawn(mut command: Command) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        let group = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        Ok(Self { child, group })
    }

    /// Returns the ends of the pipes to the child, once.
    pub(crate) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout, ChildStderr)> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?))
    }

    /// Returns the process id of the child, or `None` after it was reaped.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for the end of the child, not of the others.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Returns the status of the child if it has ended.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Asks all processes to end, with SIGTERM. Returns whether there are any.
    pub(crate) fn terminate(&self) -> bool {
        self.signal(Signal::TERM)
    }

    /// Ends all processes.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        let _ = self.child.start_kill();
    }

    /// Returns whether a process is left, also one that was not reaped yet.
    pub(crate) fn exists(&self) -> bool {
        self.group.is_some_and(|group| test_kill_process_group(group).is_ok())
    }

    fn signal(&self, signal: Signal) -> bool {
        // Fails if the group has no processes left.
        self.group.is_some_and(|group| kill_process_group(group, signal).is_ok())
    }
}

/// A user of this machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct User {
    id: u32,
    group: u32,
}

impl User {
    /// Finds a user by name.
    pub(crate) fn named(name: &str) -> io::Result<Self> {
        let unknown = || io::Error::new(io::ErrorKind::NotFound, format!("this machine has no user {name:?}"));
        let user = nix::unistd::User::from_name(name)?.ok_or_else(unknown)?;
        Ok(Self { id: user.uid.as_raw(), group: user.gid.as_raw() })
    }

    /// Makes a command run as this user. The other groups of this process are dropped.
    pub(crate) fn run(self, command: &mut Command) {
        command.uid(self.id).gid(self.group);
    }

    /// Makes this user the owner of a file.
    pub(crate) fn give(self, file: &Path) -> io::Result<()> {
        chown(file, Some(self.id), Some(self.group))
    }
}

/// The environment variable with the home folder.
pub(crate) const HOME: &str = "HOME";

/// Returns the home folder.
pub(crate) fn home() -> Option<PathBuf> {
    env::var_os(HOME).filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// Returns the folder for settings of the user.
pub(crate) fn settings_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    folder("XDG_CONFIG_HOME").or_else(|| folder(HOME).map(|home| home.join(".config")))
}

/// The file name of the CLI.
pub(crate) const CLAUDE: &str = "claude";

/// Whether this program was built for musl, as are the packages of the CLI whose name ends with `-musl`.
pub(crate) const IS_MUSL: bool = cfg!(target_env = "musl");

/// The folder of an administrator's settings.
pub(crate) const MANAGED_SETTINGS: &str =
    if cfg!(target_os = "macos") { "/Library/Application Support/ClaudeCode" } else { "/etc/claude-code" };

/// Where programs are that were installed for all users.
pub(crate) const PROGRAMS: Option<&str> = Some("/usr/local/bin");

/// Returns options that create a new file which only its owner can read and write.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    options
}

/// Returns a builder of folders that only their owner can read and write.
pub(crate) fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder
}

/// Checks that only this user can read and write a file. The error is the rest of a sentence that begins with its path.
pub(crate) fn check_private_file(metadata: &Metadata) -> Result<(), &'static str> {
    if metadata.mode() & 0o077 != 0 {
        return Err("can be read or written by other users");
    }
    check_owner(metadata)
}

/// Checks that only this user can change what is in a folder.
pub(crate) fn check_private_folder(metadata: &Metadata) -> Result<(), &'static str> {
    if metadata.mode() & 0o022 != 0 {
        return Err("can be written by other users");
    }
    check_owner(metadata)
}

fn check_owner(metadata: &Metadata) -> Result<(), &'static str> {
    if metadata.uid() == geteuid().as_raw() { Ok(()) } else { Err("belongs to another user") }
}

/// Lets a test run a file as a program.
#[cfg(test)]
pub(crate) fn make_executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
}
