//! Unix: signals.

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
