//! Windows.

pub(crate) use mcp_os_windows::is_running;

/// Returns `None`: the form in which the CLI writes the start time of a process is not known here.
pub(crate) fn start_time(_process: u32) -> Option<String> {
    None
}
