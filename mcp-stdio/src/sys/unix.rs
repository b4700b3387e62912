//! Unix: file descriptors, signals and the parent process.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::parent_id;
use std::path::Path;
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::stdio::{dup2_stdin, dup2_stdout};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::exit;

/// Returns standard input and output, and replaces them: the program and its child processes then read nothing from standard
/// input, and what they print to standard output goes to stderr. Child processes do not inherit the returned descriptors.
pub(crate) fn take_standard_streams() -> io::Result<(File, File)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(io::stderr())?;
    Ok((input.into(), output.into()))
}

/// Waits until a non-blocking descriptor can be read.
pub(crate) fn wait_until_readable(file: &File) -> io::Result<()> {
    wait(file, PollFlags::IN)
}

/// Waits until a non-blocking descriptor can be written.
pub(crate) fn wait_until_writable(file: &File) -> io::Result<()> {
    wait(file, PollFlags::OUT)
}

fn wait(file: &File, event: PollFlags) -> io::Result<()> {
    match poll(&mut [PollFd::new(file, event)], None) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Calls `request` with the exit status at the first SIGTERM or SIGINT. The second one ends the process at once.
pub(crate) fn on_termination(request: impl FnOnce(u8) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    let wait = move || {
        let mut signals = signals.forever();
        let status = |signal: i32| u8::try_from(128 + signal).unwrap_or(u8::MAX);
        if let Some(signal) = signals.next() {
            request(status(signal));
        }
        if let Some(signal) = signals.next() {
            exit(i32::from(status(signal)));
        }
    };
    thread::Builder::new().name("mcp-signals".into()).spawn(wait).map(drop)
}

/// The process that started this one.
///
/// If a client is killed, a sibling process that inherited its end of standard input may keep the input open. Then the end of input
/// never comes.
#[derive(Debug)]
pub(crate) struct Parent(u32);

impl Parent {
    /// Returns the current parent.
    pub(crate) fn current() -> Parent {
        Parent(parent_id())
    }

    /// Returns whether the process has exited: then another process is the parent.
    pub(crate) fn has_exited(&self) -> bool {
        parent_id() != self.0
    }
}

/// Creates a file that only its owner may read. Truncates an existing file, whose permissions stay.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}
