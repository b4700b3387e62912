//! Finds out which sessions are running.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// The file `~/.claude/sessions/<pid>.json`, which a CLI process writes while it runs.
#[derive(Deserialize)]
struct Running {
    pid: u32,
    #[serde(rename = "sessionId")]
    session_id: String,
    /// When the process started. On Linux: clock ticks since the system started.
    #[serde(rename = "procStart", default)]
    started: Option<String>,
}

/// Returns the id of the process that runs a session, or `None` if it is not running.
pub(crate) fn pid_of(claude: &Path, id: &str) -> Option<u32> {
    let entries = fs::read_dir(claude.join("sessions")).ok()?;
    let running = entries.flatten().filter_map(|entry| {
        let text = fs::read_to_string(entry.path()).ok()?;
        serde_json::from_str::<Running>(&text).ok()
    });
    running.into_iter().find(|running| running.session_id == id && is_alive(running)).map(|running| running.pid)
}

/// Returns whether the process runs. If another process has its id now, it does not.
#[cfg(unix)]
fn is_alive(running: &Running) -> bool {
    let pid = i32::try_from(running.pid).ok().and_then(rustix::process::Pid::from_raw);
    // Any result except "no such process" means that the process exists, for instance as another user's.
    let exists = pid.is_some_and(|pid| !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH)));
    exists
        && match (&running.started, start_time(running.pid)) {
            (Some(expected), Some(started)) => *expected == started,
            // The system does not say when a process started, or says it in another form than the CLI.
            _ => true,
        }
}

#[cfg(not(unix))]
fn is_alive(_: &Running) -> bool {
    // Not implemented here: assume that the process runs, so that its session is not changed.
    true
}

/// Returns when a process started, in the form of the CLI. Only Linux has it.
#[cfg(unix)]
fn start_time(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in parentheses, may contain spaces and parentheses. The start time is the 20th field after it.
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(19).map(str::to_owned)
}
