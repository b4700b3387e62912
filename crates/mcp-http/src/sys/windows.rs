//! Windows: console events.

use std::future::{pending, poll_fn};
use std::io;
use std::process;
use std::task::{Context, Poll};
use std::thread;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown,
};
use tokio::sync::oneshot;

/// The exit status after two times Ctrl-C or Ctrl-Break: that of SIGINT on Unix.
const INTERRUPTED: i32 = 130;

/// The exit status after another second event: that of SIGTERM on Unix.
const TERMINATED: i32 = 143;

/// Ctrl-C, Ctrl-Break, the close of the console, logoff and shutdown of the system.
///
/// The first event is reported, the second one ends the process. A thread waits for them, so it works even if all threads of the
/// runtime are blocked. After the last three the system itself ends the process some seconds later.
#[derive(Debug)]
pub(crate) struct ShutdownSignal(oneshot::Receiver<()>);

impl ShutdownSignal {
    pub(crate) fn listen() -> io::Result<ShutdownSignal> {
        let mut events = Events::listen()?;
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let (first, received) = oneshot::channel();
        thread::Builder::new().name("console events".to_owned()).spawn(move || {
            runtime.block_on(async {
                events.next().await;
                // Without a receiver the server has ended, and the program may still clean up.
                let _ = first.send(());
                process::exit(events.next().await)
            })
        })?;
        Ok(ShutdownSignal(received))
    }

    /// Completes at the first event.
    pub(crate) async fn received(self) {
        if self.0.await.is_err() {
            // The thread sends before it ends.
            pending::<()>().await;
        }
    }
}

/// The streams of all events.
struct Events {
    c: CtrlC,
    brk: CtrlBreak,
    close: CtrlClose,
    logoff: CtrlLogoff,
    shutdown: CtrlShutdown,
}

impl Events {
    fn listen() -> io::Result<Events> {
        Ok(Events {
            c: ctrl_c()?,
            brk: ctrl_break()?,
            close: ctrl_close()?,
            logoff: ctrl_logoff()?,
            shutdown: ctrl_shutdown()?,
        })
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
