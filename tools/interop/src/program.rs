use std::{
    io,
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use tokio::{runtime, time};

/// What a program left behind when it ended by itself.
#[derive(Debug)]
#[non_exhaustive]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// All that it wrote to standard output.
    pub stdout: String,
    /// All that it wrote to standard error.
    pub stderr: String,
}

/// Runs a program to its end, and ends it if that takes longer than `limit`.
///
/// # Errors
///
/// If it cannot be started, or had to be ended ([`io::ErrorKind::TimedOut`]).
pub fn run(command: Command, limit: Duration) -> io::Result<Finished> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut command = tokio::process::Command::from(command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = time::timeout(limit, command.spawn()?.wait_with_output())
            .await
            .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, format!("no end within {limit:?}")))??;
        Ok(Finished {
            status: output.status,
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use std::{io::ErrorKind, process::Command, time::Duration};

    use super::run;

    #[test]
    fn both_outputs_and_the_status_are_kept() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo out; echo err >&2; exit 3"]);
        let finished = run(shell, Duration::from_secs(60)).expect("sh runs");
        assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!(finished.status.code(), Some(3));
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut sleep = Command::new("sleep");
        sleep.arg("600");
        let error = run(sleep, Duration::from_millis(50)).expect_err("it cannot end in time");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
    }
}
