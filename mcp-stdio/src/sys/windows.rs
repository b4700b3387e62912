//! Windows: standard handles, console events and the parent process.

use std::fs::{File, OpenOptions};
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process;
use std::task::{Context, Poll};
use std::thread;

use mcp_os_windows::ParentProcess;
use tokio::runtime::Builder;
use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown,
};

pub(crate) use mcp_os_windows::take_standard_streams;

/// The exit status after Ctrl-C and Ctrl-Break: that of SIGINT on Unix.
const INTERRUPTED: u8 = 130;

/// The exit status after the console was closed, the user logged off or the system shuts down: that of SIGTERM on Unix.
const TERMINATED: u8 = 143;

/// Returns an error: handles have no non-blocking mode, so no read asks for this.
pub(crate) fn wait_until_readable(_: &File) -> io::Result<()> {
    Err(ErrorKind::WouldBlock.into())
}

/// Returns an error: handles have no non-blocking mode, so no write asks for this.
pub(crate) fn wait_until_writable(_: &File) -> io::Result<()> {
    Err(ErrorKind::WouldBlock.into())
}

/// Calls `request` with the exit status at the first console event that asks the process to end. The second one ends it at once.
///
/// After a close, logoff or shutdown event the system ends the process itself some seconds later.
pub(crate) fn on_termination(request: impl FnOnce(u8) + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().build()?;
    let mut events = {
        let _context = runtime.enter();
        ConsoleEvents::listen()?
    };
    let wait = move || {
        request(runtime.block_on(events.next()));
        process::exit(i32::from(runtime.block_on(events.next())));
    };
    thread::Builder::new().name("mcp-signals".into()).spawn(wait).map(drop)
}

/// The console events that ask a process to end.
struct ConsoleEvents {
    c: CtrlC,
    brk: CtrlBreak,
    close: CtrlClose,
    logoff: CtrlLogoff,
    shutdown: CtrlShutdown,
}

impl ConsoleEvents {
    fn listen() -> io::Result<ConsoleEvents> {
        Ok(ConsoleEvents {
            c: ctrl_c()?,
            brk: ctrl_break()?,
            close: ctrl_close()?,
            logoff: ctrl_logoff()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Waits for the next event. Returns its exit status.
    async fn next(&mut self) -> u8 {
        poll_fn(|task| self.poll_next(task)).await
    }

    fn poll_next(&mut self, task: &mut Context<'_>) -> Poll<u8> {
        // All are polled, so that each of them can wake the task.
        let interrupted = [self.c.poll_recv(task), self.brk.poll_recv(task)];
        let terminated = [self.close.poll_recv(task), self.logoff.poll_recv(task), self.shutdown.poll_recv(task)];
        if interrupted.iter().any(Poll::is_ready) {
            Poll::Ready(INTERRUPTED)
        } else if terminated.iter().any(Poll::is_ready) {
            Poll::Ready(TERMINATED)
        } else {
            Poll::Pending
        }
    }
}

/// The process that started this one.
///
/// If a client is killed, another process that inherited its end of standard input may keep the input open. Then the end of input
/// never comes.
#[derive(Debug)]
pub(crate) struct Parent(Option<ParentProcess>);

impl Parent {
    /// Returns the parent. If it has exited already or cannot be opened, it is not watched.
    pub(crate) fn current() -> Parent {
        Parent(ParentProcess::open().ok())
    }

    /// Returns whether the process has exited.
    pub(crate) fn has_exited(&self) -> bool {
        self.0.as_ref().is_some_and(ParentProcess::has_exited)
    }
}

/// Creates a file. It has the access list that it inherits from its folder: in a user's folder, only the user, administrators and the
/// system may read it.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).open(path)
}
