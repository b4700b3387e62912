//! The process that started this one.

use std::io;
use std::mem;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{FILETIME, HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE,
    WaitForSingleObject,
};

/// The process that started this one, held open so that its id is not used again.
#[derive(Debug)]
pub struct ParentProcess(OwnedHandle);

impl ParentProcess {
    /// Opens the parent process.
    ///
    /// # Errors
    /// If the parent has exited already, or if this process may not open it.
    pub fn open() -> io::Result<ParentProcess> {
        let id = parent_id(std::process::id())?;
        // SAFETY: the function takes no pointers.
        let handle = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_SYNCHRONIZE, 0, id) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is open, and nothing else owns it.
        let parent = unsafe { OwnedHandle::from_raw_handle(handle) };
        // SAFETY: the function takes no pointers. Its result is always valid and need not be closed.
        let this = unsafe { GetCurrentProcess() };
        if creation_time(parent.as_raw_handle())? > creation_time(this)? {
            // A process that is younger than this one has the id of the parent.
            return Err(io::Error::new(io::ErrorKind::NotFound, "the parent process has exited"));
        }
        Ok(ParentProcess(parent))
    }

    /// Returns whether the process has exited.
    pub fn has_exited(&self) -> bool {
        // SAFETY: the handle is open as long as `self` exists.
        unsafe { WaitForSingleObject(self.0.as_raw_handle(), 0) == WAIT_OBJECT_0 }
    }
}

/// Finds the parent of a process in a snapshot of all processes.
fn parent_id(process: u32) -> io::Result<u32> {
    // SAFETY: the function takes no pointers.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open, and nothing else owns it.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(snapshot) };
    // SAFETY: the structure has only numbers, for which zero is a valid value.
    let mut entry: PROCESSENTRY32W = unsafe { mem::zeroed() };
    entry.dwSize = size_of::<PROCESSENTRY32W>() as u32;
    // SAFETY: the handle is open, and `entry` has the size that its first field says.
    let mut found = unsafe { Process32FirstW(snapshot.as_raw_handle(), &mut entry) } != 0;
    while found {
        if entry.th32ProcessID == process {
            return Ok(entry.th32ParentProcessID);
        }
        // SAFETY: as above.
        found = unsafe { Process32NextW(snapshot.as_raw_handle(), &mut entry) } != 0;
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "this process is not in the list of processes"))
}

/// Returns when a process was created, in units of 100 ns.
fn creation_time(process: HANDLE) -> io::Result<u64> {
    let zero = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let (mut created, mut exited, mut kernel, mut user) = (zero, zero, zero, zero);
    // SAFETY: the handle is open, and the pointers are valid during the call.
    match unsafe { GetProcessTimes(process, &mut created, &mut exited, &mut kernel, &mut user) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(u64::from(created.dwHighDateTime) << 32 | u64::from(created.dwLowDateTime)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_a_test_has_not_exited() {
        assert!(!ParentProcess::open().unwrap().has_exited());
    }
}
