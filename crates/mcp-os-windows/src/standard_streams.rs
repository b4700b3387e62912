//! Standard input and output of the process.

use std::fs::File;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, IntoRawHandle, OwnedHandle, RawHandle};

use windows_sys::Win32::Foundation::{HANDLE_FLAG_INHERIT, SetHandleInformation};
use windows_sys::Win32::System::Console::{STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle};

/// The descriptors of the C runtime.
const STDIN: i32 = 0;
const STDOUT: i32 = 1;
const STDERR: i32 = 2;

/// Returns standard input and output, and replaces them: the program, C libraries and child processes then read nothing from
/// standard input, and what they print to standard output goes to stderr. Child processes do not inherit the returned handles.
///
/// # Errors
/// If a handle cannot be duplicated or replaced.
pub fn take_standard_streams() -> io::Result<(File, File)> {
    let input = io::stdin().as_handle().try_clone_to_owned()?;
    let output = io::stdout().as_handle().try_clone_to_owned()?;
    // The duplicates are not inherited. The originals usually are, and std lets child processes inherit all such handles.
    disinherit(io::stdin().as_raw_handle())?;
    disinherit(io::stdout().as_raw_handle())?;
    redirect_c_runtime();
    set_standard_handle(STD_INPUT_HANDLE, File::open("NUL")?.into())?;
    set_standard_handle(STD_OUTPUT_HANDLE, io::stderr().as_handle().try_clone_to_owned()?)?;
    Ok((input.into(), output.into()))
}

fn disinherit(handle: RawHandle) -> io::Result<()> {
    if handle.is_null() {
        // The process was started without this stream.
        return Ok(());
    }
    // SAFETY: the function has no requirements on memory. An invalid handle is reported as an error.
    match unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn set_standard_handle(which: STD_HANDLE, handle: OwnedHandle) -> io::Result<()> {
    // The handle must stay open as long as anything may use the standard stream: until the process ends.
    let handle = handle.into_raw_handle();
    // SAFETY: `handle` is open and is never closed.
    match unsafe { SetStdHandle(which, handle) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Redirects the descriptors of the C runtime in the same way. Failures are ignored: a program without a console may have no such
/// descriptors, and then C libraries cannot print to the streams of the protocol.
fn redirect_c_runtime() {
    // SAFETY: the path is a valid C string. The other calls take only descriptors, and the runtime checks these.
    unsafe {
        let nothing = libc::open(c"NUL".as_ptr(), libc::O_RDONLY);
        if nothing >= 0 {
            libc::dup2(nothing, STDIN);
            libc::close(nothing);
        }
        libc::dup2(STDERR, STDOUT);
    }
}
