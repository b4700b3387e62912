//! Which sessions run.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// What the CLI writes down while it runs, in `~/.claude/sessions/<pid>.json`.
#[derive(Deserialize)]
struct Running {
    pid: u32,
    #[serde(rename = "sessionId")]
    session_id: String,
}

/// The process in which a session runs, if it does.
pub(crate) fn pid_of(claude: &Path, id: &str) -> Option<u32> {
    let entries = fs::read_dir(claude.join("sessions")).ok()?;
    let running = entries.flatten().filter_map(|entry| {
        let text = fs::read_to_string(entry.path()).ok()?;
        serde_json::from_str::<Running>(&text).ok()
    });
    running.into_iter().find(|running| running.session_id == id && is_alive(running.pid)).map(|running| running.pid)
}

#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    // A process of somebody else is alive as well.
    pid.is_some_and(|pid| !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH)))
}

#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    // What cannot be known is taken for running: its file is left alone.
    true
}
