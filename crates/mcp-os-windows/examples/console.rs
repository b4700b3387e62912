//! Runs a program in a console and sends it console events. Only tests on Windows use it.
//!
//! `console FILE PROGRAM ARGUMENTS...` sends one event for each byte that is appended to FILE, and ends with the exit status of the
//! program. Start it with the flag `CREATE_NO_WINDOW`: it then has a console of its own, without a window.

use std::process::ExitCode;

#[cfg(windows)]
fn main() -> Result<ExitCode, std::io::Error> {
    use std::{env, fs, process::Command, thread, time::Duration};

    let mut arguments = env::args_os().skip(1);
    let (file, program) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let mut child = Command::new(program).args(arguments).spawn()?;
    // After the start of the child, because child processes inherit this.
    events::ignore()?;
    let mut sent = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)));
        }
        for letter in &fs::read(&file)?[sent..] {
            events::send(*letter, child.id())?;
            sent += 1;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(not(windows))]
fn main() -> ExitCode {
    ExitCode::from(2)
}

#[cfg(windows)]
mod events {
    use std::io;
    use std::os::windows::io::{FromRawHandle, OwnedHandle};
    use std::ptr::{null, null_mut};

    use windows_sys::Win32::Foundation::{FARPROC, HANDLE};
    use windows_sys::Win32::System::Console::{
        CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, GenerateConsoleCtrlEvent,
        SetConsoleCtrlHandler,
    };
    use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
    use windows_sys::Win32::System::Threading::{
        CreateRemoteThread, LPTHREAD_START_ROUTINE, OpenProcess, PROCESS_CREATE_THREAD, PROCESS_QUERY_INFORMATION,
        PROCESS_VM_OPERATION, PROCESS_VM_READ, PROCESS_VM_WRITE,
    };
    use windows_sys::core::{BOOL, w};

    /// Makes this process ignore all console events.
    pub(crate) fn ignore() -> io::Result<()> {
        unsafe extern "system" fn ignored(_: u32) -> BOOL {
            1
        }
        // SAFETY: the function has the right signature and exists as long as the process.
        checked(unsafe { SetConsoleCtrlHandler(Some(ignored), 1) })
    }

    /// Sends the event of a letter: `c` and `b` to all processes of the console, others to one process.
    pub(crate) fn send(letter: u8, process: u32) -> io::Result<()> {
        match letter {
            b'c' => to_console(CTRL_C_EVENT),
            // Wine cannot send Ctrl-Break to a console.
            b'b' => to_console(CTRL_BREAK_EVENT).or_else(|_| to_process(CTRL_BREAK_EVENT, process)),
            b'x' => to_process(CTRL_CLOSE_EVENT, process),
            b'l' => to_process(CTRL_LOGOFF_EVENT, process),
            b's' => to_process(CTRL_SHUTDOWN_EVENT, process),
            _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no event with this letter")),
        }
    }

    fn to_console(event: u32) -> io::Result<()> {
        // SAFETY: the function takes no pointers.
        checked(unsafe { GenerateConsoleCtrlEvent(event, 0) })
    }

    /// Starts a thread in another process that runs the system's function for console events, as the system itself does.
    fn to_process(event: u32, process: u32) -> io::Result<()> {
        let rights =
            PROCESS_CREATE_THREAD | PROCESS_QUERY_INFORMATION | PROCESS_VM_OPERATION | PROCESS_VM_READ | PROCESS_VM_WRITE;
        // SAFETY: the function takes no pointers.
        let target = owned(unsafe { OpenProcess(rights, 0, process) })?;
        // SAFETY: both texts end with a null character.
        let routine = unsafe { GetProcAddress(GetModuleHandleW(w!("kernelbase")), c"CtrlRoutine".as_ptr().cast()) };
        let Some(routine) = routine else { return Err(io::Error::last_os_error()) };
        // SAFETY: the function has the signature of a thread: its parameter is the event, as a number in place of a pointer.
        let routine = unsafe { std::mem::transmute::<FARPROC, LPTHREAD_START_ROUTINE>(Some(routine)) };
        let event = event as usize as *const _;
        // SAFETY: the handle is open. System libraries have the same address in all processes of the same architecture.
        let thread = unsafe {
            use std::os::windows::io::AsRawHandle as _;
            CreateRemoteThread(target.as_raw_handle(), null(), 0, routine, event, 0, null_mut())
        };
        owned(thread).map(drop)
    }

    fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is open, and nothing else owns it.
        Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
    }

    fn checked(result: BOOL) -> io::Result<()> {
        if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}
