//! Runs a program in a console without a window, so that a test without a console can send it Ctrl-Break. For Windows.
//!
//! `console FILE PROGRAM ARGUMENTS...` sends Ctrl-Break once for each byte that is appended to FILE, and ends with the exit status of
//! the program. Start it with the flag `CREATE_NO_WINDOW`.

use std::process::ExitCode;

#[cfg(windows)]
fn main() -> Result<ExitCode, std::io::Error> {
    use std::os::windows::process::CommandExt;
    use std::process::Command;
    use std::time::Duration;

    /// The process that receives Ctrl-Break: not this one.
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

    let mut arguments = std::env::args_os().skip(1);
    let (file, program) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let mut child = Command::new(program).args(arguments).creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()?;
    let mut sent = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)));
        }
        while sent < std::fs::metadata(&file)?.len() {
            mcp_os_windows::send_ctrl_break(child.id())?;
            sent += 1;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(not(windows))]
fn main() -> ExitCode {
    ExitCode::from(2)
}
