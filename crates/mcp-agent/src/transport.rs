//! How the runner reaches a CLI: byte lines in, byte lines out, and an end.
//!
//! The runner itself speaks only these traits. [`Process`](crate::Process) starts the CLI as a child, which is what
//! nearly everybody wants; ssh, a container, a WebSocket and a test double are other implementations.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::time::Duration;

use crate::error::StartError;
use crate::invocation::Invocation;

/// A boxed future, so that the traits here can be trait objects.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A way to reach a CLI.
///
/// Implemented by whoever knows where the CLI lives, called once by `open`. What the options ask of the CLI arrives as
/// an [`Invocation`]: a transport that starts a program hands its arguments and environment on, a test double may check
/// them, a connection to a CLI that already runs ignores them.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Reaches the CLI, without waiting for its first line.
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>>;
}

/// An open connection to a CLI, in three parts that different tasks may own.
///
/// The close contract, which the runner keeps and an implementation may rely on:
///
/// 1. [`Input::close`] is called, or the input dropped, before [`Peer::end`].
/// 2. [`Output::receive`] is called until it gives `None` or an error, also while the peer is ending, so that last words
///    are not lost; after that it is not called again.
/// 3. [`Peer::end`] is called at most once. When the [`Peer`] is dropped instead, the implementation ends the peer by
///    itself: nothing may outlive its connection.
pub struct Connection {
    /// Lines to the CLI.
    pub input: Box<dyn Input>,
    /// Lines from the CLI.
    pub output: Box<dyn Output>,
    /// The CLI as something that can be ended.
    pub peer: Box<dyn Peer>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("pid", &self.peer.pid()).finish_non_exhaustive()
    }
}

/// The writing half of a [`Connection`].
pub trait Input: Send {
    /// Writes one line whole and flushes it.
    ///
    /// `line` has neither a newline in it nor one at its end; the implementation adds what its medium needs. The runner
    /// never drops this future halfway, because half a line would poison the stream.
    ///
    /// # Errors
    /// When the peer no longer reads. The runner then waits for [`Output`] to end, which says why.
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>>;

    /// Tells the peer that no more lines will come. Dropping the input must have the same effect.
    fn close(&mut self) -> Pending<'_, io::Result<()>>;
}

/// The reading half of a [`Connection`].
pub trait Output: Send {
    /// Gives the next line without its newline, or `None` when there will be no more.
    ///
    /// Must be cancel safe: bytes read by a future that is dropped belong to the next call. Must give `None` when the
    /// peer itself is gone, even if something it left behind still holds the pipe. A last line without a newline is a
    /// line. Splits at `\n` only.
    ///
    /// # Errors
    /// When reading fails or a line passes the limit of the implementation; the connection is then of no more use.
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>>;
}

/// The other end of a [`Connection`], as something with an identity and an end.
pub trait Peer: Send {
    /// The process id, where the peer is a process of this machine.
    fn pid(&self) -> Option<u32> {
        None
    }

    /// Waits until the peer is gone, insisting more and more as `patience` runs out, and tells how it ended.
    ///
    /// The end proceeds even if this future is dropped.
    fn end(self: Box<Self>, patience: Patience) -> Pending<'static, Ending>;
}

/// How long a peer may take at each step of its end.
///
/// The steps of a process: its input is closed, and it has `after_close` to go by itself; it is asked to terminate, and
/// has `after_terminate`; it is killed. A step goes to the whole process group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patience {
    /// From the closing of its input to SIGTERM. 5 s by default: less can lose the CLI's last writes.
    pub after_close: Duration,
    /// From SIGTERM to SIGKILL. 5 s by default.
    pub after_terminate: Duration,
}

impl Patience {
    /// Patience with both steps given.
    pub const fn new(after_close: Duration, after_terminate: Duration) -> Self {
        Self { after_close, after_terminate }
    }

    /// No patience: the peer is killed at once.
    pub const NONE: Self = Self::new(Duration::ZERO, Duration::ZERO);
}

impl Default for Patience {
    fn default() -> Self {
        Self::new(Duration::from_secs(5), Duration::from_secs(5))
    }
}

/// How a peer ended: what goes into every error that its end causes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ending {
    /// The exit status, where there is one.
    pub status: Option<ExitStatus>,
    /// The last of what the peer said on its standard error (8 KiB at most from a process).
    pub stderr: String,
}

impl Ending {
    /// An ending with its data.
    pub fn new(status: Option<ExitStatus>, stderr: impl Into<String>) -> Self {
        Self { status, stderr: stderr.into() }
    }

    /// Whether the peer is known to have ended well.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{status}")?,
            None => f.write_str("exit status unknown")?,
        }
        match self.stderr.trim() {
            "" => Ok(()),
            stderr => write!(f, "; stderr: {stderr}"),
        }
    }
}
