//! Wall time and processor time of a command.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use crate::folders::finish;

/// Wall time and processor time in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Took {
    pub(super) wall: f64,
    pub(super) cpu: f64,
}

/// Runs a command to its end. No other child process may end meanwhile.
pub(super) fn time(command: Command) -> Result<Took> {
    let (start, before) = (Instant::now(), children()?);
    finish(command)?;
    let cpu = children()?.saturating_sub(before);
    Ok(Took { wall: start.elapsed().as_nanos() as f64, cpu: cpu.as_nanos() as f64 })
}

/// The processor time of all finished child processes and their children.
fn children() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let duration = |time: TimeVal| Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()).unsigned_abs());
    Ok(duration(usage.user_time()) + duration(usage.system_time()))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::time;

    #[test]
    fn work_takes_processor_time_and_a_failure_is_an_error() {
        let mut busy = Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"]);
        let took = time(busy).unwrap();
        assert!(took.cpu > 1e6 && took.wall > 1e6, "{took:?}");
        assert!(time(Command::new("false")).is_err());
    }
}
