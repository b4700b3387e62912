//! Finds out which sessions are running.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::sys::{is_running, start_time};

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
fn is_alive(running: &Running) -> bool {
    is_running(running.pid)
        && match (&running.started, start_time(running.pid)) {
            (Some(expected), Some(started)) => *expected == started,
            // The system does not say when a process started, or says it in another form than the CLI.
            _ => true,
        }
}
