//! Processes by their id.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{ERROR_INVALID_PARAMETER, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

/// Returns whether a process with this id runs, also if it belongs to another user.
///
/// The system uses the id of a process that has ended again for another one.
pub fn is_running(process: u32) -> bool {
    // SAFETY: the function takes no pointers.
    let handle = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, process) };
    if handle.is_null() {
        // Other errors mean that the process exists, but may not be opened.
        return io::Error::last_os_error().raw_os_error() != Some(ERROR_INVALID_PARAMETER as i32);
    }
    // SAFETY: the handle is open, and nothing else owns it.
    let process = unsafe { OwnedHandle::from_raw_handle(handle) };
    // A process that has ended exists as long as somebody has a handle of it.
    // SAFETY: the handle is open during the call.
    unsafe { WaitForSingleObject(process.as_raw_handle(), 0) != WAIT_OBJECT_0 }
}
