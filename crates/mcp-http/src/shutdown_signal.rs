//! The signals that ask the process to shut down. The only file that depends on the operating system.

pub(crate) use system::ShutdownSignal;

#[cfg(unix)]
mod system {
    use std::future::poll_fn;
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::task::Poll;

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    use tokio::signal::unix::{Signal, SignalKind, signal};

    /// SIGTERM and SIGINT.
    ///
    /// The first signal is reported. The second one ends the process in the signal handler, so it works even if all threads of
    /// the runtime are blocked. The handlers stay installed: after the server has ended, the program may still clean up.
    #[derive(Debug)]
    pub(crate) struct ShutdownSignal([Signal; 2]);

    impl ShutdownSignal {
        pub(crate) fn listen() -> io::Result<ShutdownSignal> {
            let received = Arc::new(AtomicBool::new(false));
            for number in [SIGTERM, SIGINT] {
                // The handlers run in this order, so the first signal finds the flag unset.
                flag::register_conditional_shutdown(number, 128 + number, received.clone())?;
                flag::register(number, received.clone())?;
            }
            Ok(ShutdownSignal([signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?]))
        }

        /// Completes at the first signal.
        pub(crate) async fn received(mut self) {
            poll_fn(|task| {
                let received = self.0.iter_mut().any(|signal| signal.poll_recv(task).is_ready());
                if received { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
    }
}

#[cfg(windows)]
mod system {
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
}
