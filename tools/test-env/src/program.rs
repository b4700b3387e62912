use std::{
    io,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use tokio::{runtime, time};

/// The result of a program that ended by itself.
#[derive(Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The exit status of the program.
    pub status: ExitStatus,
    /// The standard output of the program.
    pub stdout: String,
    /// The standard error of the program.
    pub stderr: String,
}

/// Runs a program to its end. Kills it if that takes longer than `limit`.
///
/// # Errors
///
/// If it cannot be started, or was killed ([`io::ErrorKind::TimedOut`]).
pub fn run(command: Command, limit: Duration) -> io::Result<Finished> {
    // On a thread of its own, because the caller may be inside of a runtime.
    let finished = thread::spawn(move || run_here(command, limit)).join();
    finished.unwrap_or_else(|_| Err(io::Error::other("the thread that runs the program has panicked")))
}

fn run_here(command: Command, limit: Duration) -> io::Result<Finished> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut command = tokio::process::Command::from(command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = time::timeout(limit, command.spawn()?.wait_with_output())
            .await
            .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, format!("not finished within {limit:?}")))??;
        Ok(Finished {
            status: output.status,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::{io::ErrorKind, process::Command, time::Duration};

    use super::run;

    #[test]
    fn both_outputs_and_the_exit_status_are_returned() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo out; echo err >&2; exit 3"]);
        let finished = run(shell, Duration::from_secs(60)).expect("sh runs");
        assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!(finished.status.code(), Some(3));
    }

    #[test]
    fn a_program_is_killed_at_its_time_limit() {
        let mut sleep = Command::new("sleep");
        sleep.arg("600");
        let error = run(sleep, Duration::from_millis(50)).expect_err("it cannot end in time");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
