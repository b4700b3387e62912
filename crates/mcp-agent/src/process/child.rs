//! The child process and its shutdown: end of input, SIGTERM, SIGKILL; on Windows the end of input, then the end of the job. The
//! child is always reaped.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::argument_file::Spilled;
use super::stderr::Stderr;
use crate::sys::ProcessTree;
use crate::transport::{Ending, ShutdownTimeouts};

/// Owns the child process and the processes that it has started.
///
/// If it is dropped before the child has exited, which happens when the runtime shuts down, all of them are killed at
/// once.
pub(super) struct Supervisor {
    // `None` after the child was reaped and the rest was ended.
    tree: Option<ProcessTree>,
    _files: Vec<Spilled>,
}

/// How long the remaining processes may take to exit after SIGTERM.
const GROUP_EXIT_TIMEOUT: Duration = Duration::from_millis(500);

impl Supervisor {
    pub(super) fn new(tree: ProcessTree, files: Vec<Spilled>) -> Self {
        Self { tree: Some(tree), _files: files }
    }

    /// Waits until the child exits or a shutdown is ordered, and reports how the child exited.
    ///
    /// A shutdown is ordered after the input was closed. If the sender of `order` was dropped, the child is shut down
    /// too, with the time limits in `default`.
    pub(super) async fn run(
        mut self,
        order: oneshot::Receiver<ShutdownTimeouts>,
        default: ShutdownTimeouts,
        gone: watch::Sender<bool>,
        stderr: Stderr,
        report: oneshot::Sender<Ending>,
    ) {
        if let Some(tree) = &mut self.tree {
            let timeouts = tokio::select! {
                status = tree.wait() => Err(status.ok()),
                order = order => Ok(order.unwrap_or(default)),
            };
            let status = match timeouts {
                Err(status) => status,
                Ok(timeouts) => end(tree, timeouts).await,
            };
            gone.send_replace(true);
            sweep(tree).await;
            self.tree = None;
            let stderr = stderr.finish().await;
            // An error means that nobody waits for the report.
            let _ = report.send(Ending::new(status, stderr));
        }
    }
}

/// Ends the child after its input was closed.
async fn end(tree: &mut ProcessTree, timeouts: ShutdownTimeouts) -> Option<ExitStatus> {
    if let Ok(status) = timeout(timeouts.after_close, tree.wait()).await {
        return status.ok();
    }
    if tree.terminate()
        && let Ok(status) = timeout(timeouts.after_terminate, tree.wait()).await
    {
        return status.ok();
    }
    tree.kill();
    tree.wait().await.ok()
}

/// Ends the processes that still run after the child has exited.
async fn sweep(tree: &mut ProcessTree) {
    if tree.terminate() {
        let _ = timeout(GROUP_EXIT_TIMEOUT, async {
            while tree.exists() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
    }
    if tree.exists() {
        tree.kill();
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        let Some(mut tree) = self.tree.take() else {
            return;
        };
        tree.kill();
        // A killed process normally exits within milliseconds. The loop is bounded in case it hangs in the kernel.
        for _ in 0..200 {
            if !matches!(tree.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
