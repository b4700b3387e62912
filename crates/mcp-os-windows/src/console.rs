//! Console events.

use std::io;

use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};

/// Sends Ctrl-Break to a process that was started with `CREATE_NEW_PROCESS_GROUP`, and to the processes in its group.
///
/// Only processes that share the console of this process receive it.
///
/// # Errors
/// If this process has no console.
pub fn send_ctrl_break(process: u32) -> io::Result<()> {
    // SAFETY: the function takes no pointers.
    match unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, process) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
