//! Processes, for tests that end them: whether one exists, and how it ended.

use std::process::ExitStatus;
use std::time::Duration;

use crate::test_setup::within;

/// Waits until a process has ended. A zombie counts as ended: in a container its new parent may never reap it.
pub(crate) async fn gone(pid: u32) {
    let is_zombie = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
    };
    within(async {
        while exists(pid) && !is_zombie() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

/// Returns whether a process exists, including as a zombie.
#[cfg(unix)]
pub(crate) fn exists(pid: u32) -> bool {
    let pid = rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap();
    rustix::process::test_kill_process(pid).is_ok()
}

#[cfg(windows)]
pub(crate) fn exists(pid: u32) -> bool {
    mcp_os_windows::is_running(pid)
}

/// Returns whether a process was ended by a signal. Windows has no signals: there a process that was ended by force fails.
#[cfg(unix)]
pub(crate) fn was_ended_by(signal: i32, status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(signal)
}

#[cfg(windows)]
pub(crate) fn was_ended_by(_: i32, status: ExitStatus) -> bool {
    !status.success()
}
