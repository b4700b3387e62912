//! The connection to a CLI: lines in both directions, and a way to shut the CLI down.
//!
//! The session uses only these traits. [`Process`](crate::Process), the default, starts the CLI as a child process.
//! Other implementations can reach a CLI over ssh, in a container or over a WebSocket, or replace it in tests.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::process::ExitStatus;
use std::time::Duration;

use crate::error::StartError;
use crate::invocation::Invocation;

/// A boxed future. It makes the traits in this module usable as trait objects.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A way to connect to a CLI.
///
/// [`Agent::open`](crate::Agent::open) calls [`connect`](Self::connect) once. The options that are not part of the
/// protocol arrive as an [`Invocation`]. A transport that starts a program passes its arguments and environment on; a
/// connection to a running CLI ignores them; a test double may check them.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Connects to the CLI, without waiting for its first line.
    fn connect(&self, invocation: Invocation) -> Pending<'_, Result<Connection, StartError>>;
}

/// An open connection to a CLI, in three parts that different tasks can own.
///
/// The session guarantees the following to an implementation:
///
/// - [`Input::close`] is called, or the input is dropped, before [`Peer::end`] is called.
/// - [`Output::receive`] is called until it returns `None` or an error, also during the shutdown of the peer, so that
///   its last output is not lost. After that it is not called again.
/// - [`Peer::end`] is called at most once. If the [`Peer`] is dropped instead, the implementation must shut the peer
///   down by itself: no process may outlive its connection.
pub struct Connection {
    /// Lines to the CLI.
    pub input: Box<dyn Input>,
    /// Lines from the CLI.
    pub output: Box<dyn Output>,
    /// The CLI itself, for its process id and its shutdown.
    pub peer: Box<dyn Peer>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("pid", &self.peer.pid()).finish_non_exhaustive()
    }
}

/// The writing half of a [`Connection`].
pub trait Input: Send {
    /// Writes one line and flushes it.
    ///
    /// `line` contains no newline; the implementation adds the delimiter that its medium needs. The session never drops
    /// this future before it completes, because a partial line would corrupt the stream.
    ///
    /// # Errors
    /// If the peer has closed its input. The session then waits for [`Output`] to end.
    fn send<'a>(&'a mut self, line: &'a [u8]) -> Pending<'a, io::Result<()>>;

    /// Signals the end of input to the peer. Dropping the input must have the same effect.
    fn close(&mut self) -> Pending<'_, io::Result<()>>;
}

/// The reading half of a [`Connection`].
pub trait Output: Send {
    /// Returns the next line without its newline, or `None` at the end of output.
    ///
    /// Must be cancel safe: bytes that were read by a dropped future must be returned by the next call. Must return
    /// `None` when the peer has exited, even if a process that it started still holds the pipe open. A last line
    /// without a newline counts as a line. Lines are separated by `\n` only.
    ///
    /// # Errors
    /// If reading fails or a line is longer than the limit of the implementation. The connection cannot be used after
    /// an error.
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>>;
}

/// The CLI at the other end of a [`Connection`].
pub trait Peer: Send {
    /// Returns the process id, if the peer is a local process.
    fn pid(&self) -> Option<u32> {
        None
    }

    /// Shuts the peer down, waits until it has exited, and returns how. Escalates as the time limits in `timeouts` run
    /// out.
    ///
    /// The shutdown continues even if this future is dropped.
    fn end(self: Box<Self>, timeouts: ShutdownTimeouts) -> Pending<'static, Ending>;
}

/// The time limits for the steps of a shutdown.
///
/// A process is shut down in three steps: its input is closed and it has `after_close` to exit by itself; it is sent
/// SIGTERM and has `after_terminate` to exit; it is killed. Signals are sent to the whole process group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShutdownTimeouts {
    /// Time from closing the input to SIGTERM. The default is 5 s; with less, the last writes of the CLI can be lost.
    pub after_close: Duration,
    /// Time from SIGTERM to SIGKILL. The default is 5 s.
    pub after_terminate: Duration,
}

impl ShutdownTimeouts {
    /// Creates time limits for both steps.
    pub const fn new(after_close: Duration, after_terminate: Duration) -> Self {
        Self { after_close, after_terminate }
    }

    /// No waiting: the peer is killed at once.
    pub const NONE: Self = Self::new(Duration::ZERO, Duration::ZERO);
}

impl Default for ShutdownTimeouts {
    fn default() -> Self {
        Self::new(Duration::from_secs(5), Duration::from_secs(5))
    }
}

/// How a peer exited. Part of every error that is caused by its exit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ending {
    /// The exit status, if known.
    pub status: Option<ExitStatus>,
    /// The end of the standard error of the peer; at most 8 KiB from a process.
    pub stderr: String,
}

impl Ending {
    /// Creates an ending from its data.
    pub fn new(status: Option<ExitStatus>, stderr: impl Into<String>) -> Self {
        Self { status, stderr: stderr.into() }
    }

    /// Returns true if the peer is known to have exited with success.
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
