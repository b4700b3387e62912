//! The child process and its shutdown: end of input, SIGTERM, SIGKILL. The child is always reaped.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::process::Child;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::spill::Spilled;
use super::stderr::Stderr;
use crate::transport::{Ending, Patience};

/// Owns the child process and its process group.
///
/// If it is dropped before the child has exited, which happens when the runtime shuts down, the group is killed at
/// once.
pub(super) struct Supervisor {
    child: Child,
    // The id of the group is the pid of the child. `None` after the child was reaped and the rest of the group was
    // ended.
    group: Option<Group>,
    _files: Vec<Spilled>,
}

/// How long the remaining processes of the group may take to exit after SIGTERM.
const GROUP_EXIT_TIMEOUT: Duration = Duration::from_millis(500);

impl Supervisor {
    pub(super) fn new(child: Child, files: Vec<Spilled>) -> Self {
        let group = child.id().and_then(Group::led_by);
        Self { child, group, _files: files }
    }

    /// Waits until the child exits or a shutdown is ordered, and reports how the child exited.
    ///
    /// A shutdown is ordered after the input was closed. If the sender of `order` was dropped, the child is shut down
    /// too, with the time limits in `default`.
    pub(super) async fn run(
        mut self,
        order: oneshot::Receiver<Patience>,
        default: Patience,
        gone: watch::Sender<bool>,
        stderr: Stderr,
        report: oneshot::Sender<Ending>,
    ) {
        let patience = tokio::select! {
            status = self.child.wait() => Err(status.ok()),
            order = order => Ok(order.unwrap_or(default)),
        };
        let status = match patience {
            Err(status) => status,
            Ok(patience) => self.end(patience).await,
        };
        gone.send_replace(true);
        self.sweep().await;
        let stderr = stderr.finish().await;
        // An error means that nobody waits for the report.
        let _ = report.send(Ending::new(status, stderr));
    }

    async fn end(&mut self, patience: Patience) -> Option<ExitStatus> {
        if let Ok(status) = timeout(patience.after_close, self.child.wait()).await {
            return status.ok();
        }
        self.signal(Signal::Terminate);
        if let Ok(status) = timeout(patience.after_terminate, self.child.wait()).await {
            return status.ok();
        }
        self.signal(Signal::Kill);
        self.child.wait().await.ok()
    }

    /// Ends the processes of the group that still run after the child has exited.
    async fn sweep(&mut self) {
        if let Some(group) = &self.group
            && group.exists()
        {
            group.signal(Signal::Terminate);
            let _ = timeout(GROUP_EXIT_TIMEOUT, async {
                while group.exists() {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            })
            .await;
            group.signal(Signal::Kill);
        }
        self.group = None;
    }

    fn signal(&mut self, signal: Signal) {
        match &self.group {
            Some(group) => group.signal(signal),
            None => {
                // Without process groups, the child can only be killed.
                let _ = self.child.start_kill();
            }
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        let Some(group) = self.group.take() else {
            return;
        };
        group.signal(Signal::Kill);
        let _ = self.child.start_kill();
        // A killed process normally exits within milliseconds. The loop is bounded in case it hangs in the kernel.
        for _ in 0..200 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

enum Signal {
    Terminate,
    Kill,
}

#[cfg(unix)]
struct Group(rustix::process::Pid);

#[cfg(unix)]
impl Group {
    fn led_by(pid: u32) -> Option<Self> {
        rustix::process::Pid::from_raw(i32::try_from(pid).ok()?).map(Self)
    }

    fn exists(&self) -> bool {
        rustix::process::test_kill_process_group(self.0).is_ok()
    }

    fn signal(&self, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        // Fails if the group has no processes left, which is fine.
        let _ = rustix::process::kill_process_group(self.0, signal);
    }
}

/// Other systems have no process groups: only the child itself is killed.
#[cfg(not(unix))]
enum Group {}

#[cfg(not(unix))]
impl Group {
    fn led_by(_pid: u32) -> Option<Self> {
        None
    }

    fn exists(&self) -> bool {
        match *self {}
    }

    fn signal(&self, _signal: Signal) {
        match *self {}
    }
}
