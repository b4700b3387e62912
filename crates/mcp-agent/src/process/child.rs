//! A child and its end: asked, then told, then killed; in any case reaped.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::process::Child;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::spill::Spilled;
use super::stderr::Stderr;
use crate::transport::{Ending, Patience};

/// Owns the child, and with it the process group.
///
/// When this is dropped before the child has ended, which happens when the runtime shuts down, the group is killed there
/// and then.
pub(super) struct Supervisor {
    child: Child,
    // The group has the id of its leader. None when the leader has been reaped and the group swept.
    group: Option<Group>,
    _files: Vec<Spilled>,
}

/// How long what the child left behind may take to go after SIGTERM.
const STRAGGLERS: Duration = Duration::from_millis(500);

impl Supervisor {
    pub(super) fn new(child: Child, files: Vec<Spilled>) -> Self {
        let group = child.id().and_then(Group::led_by);
        Self { child, group, _files: files }
    }

    /// Waits for the child's end or for the order to bring it about, and reports.
    ///
    /// The order comes when the input has been closed. If nobody can give it any more, that is an order as well.
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
        // Nobody may be interested.
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

    /// Ends what the child left behind in its group.
    async fn sweep(&mut self) {
        if let Some(group) = &self.group
            && group.exists()
        {
            group.signal(Signal::Terminate);
            let _ = timeout(STRAGGLERS, async {
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
                // Without groups there is only one way to end a child.
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
        // A killed process is gone within moments; the bound is for one that hangs in the kernel.
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
        // Fails when there is nobody left to signal, which is what we want.
        let _ = rustix::process::kill_process_group(self.0, signal);
    }
}

/// Elsewhere there are no groups to signal: the child alone is killed.
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
