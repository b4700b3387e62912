//! Windows: console events.

use std::future::poll_fn;
use std::io;
use std::process;
use std::task::{Context, Poll};

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown,
};

/// The exit status after two times Ctrl-C or Ctrl-Break: that of SIGINT on Unix.
const INTERRUPTED: i32 = 130;

/// The exit status after another second event: that of SIGTERM on Unix.
const TERMINATED: i32 = 143;

/// Ctrl-C, Ctrl-Break, the close of the console, logoff and shutdown of the system.
///
/// The first event is reported, the second one ends the process. After the last three the system itself ends the process some
/// seconds later.
#[derive(Debug)]
pub(crate) struct ShutdownSignal {
    c: CtrlC,
    brk: CtrlBreak,
    close: CtrlClose,
    logoff: CtrlLogoff,
    shutdown: CtrlShutdown,
}

impl ShutdownSignal {
    pub(crate) fn listen() -> io::Result<ShutdownSignal> {
        Ok(ShutdownSignal {
            c: ctrl_c()?,
            brk: ctrl_break()?,
            close: ctrl_close()?,
            logoff: ctrl_logoff()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Completes at the first event.
    pub(crate) async fn received(mut self) {
        self.next().await;
        tokio::spawn(async move { process::exit(self.next().await) });
    }

    /// Waits for the next event. Returns its exit status.
    async fn next(&mut self) -> i32 {
        poll_fn(|task| self.poll_next(task)).await
    }

    fn poll_next(&mut self, task: &mut Context<'_>) -> Poll<i32> {
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
