//! Kills servers that do not respond.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A server is killed after this time without output, at the latest after twice this time.
const TIMEOUT: Duration = Duration::from_secs(60);

const OVER: u64 = u64::MAX;

/// Kills a server that does not respond, which ends the wait. It checks rarely, so that it does not disturb the measurement.
#[derive(Debug)]
pub(crate) struct ResponseTimeout {
    /// Odd while this program waits for the server. [`OVER`] after the server was killed.
    waits: Arc<AtomicU64>,
    _ended: Sender<()>,
}

/// This program waits for the server while the value exists.
#[derive(Debug)]
pub(crate) struct Waiting(Arc<AtomicU64>);

impl ResponseTimeout {
    pub(crate) fn with(server: u32) -> ResponseTimeout {
        ResponseTimeout::of(server, TIMEOUT)
    }

    fn of(server: u32, timeout: Duration) -> ResponseTimeout {
        let (waits, (ended, end)) = (Arc::new(AtomicU64::new(0)), channel());
        let seen = Arc::clone(&waits);
        thread::spawn(move || {
            let mut before = 0;
            while end.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout) {
                let now = seen.load(Ordering::Relaxed);
                if now % 2 == 1 && now == before {
                    seen.store(OVER, Ordering::Relaxed);
                    let _ = kill(Pid::from_raw(server.cast_signed()), Signal::SIGKILL);
                    return;
                }
                before = now;
            }
        });
        ResponseTimeout { waits, _ended: ended }
    }

    /// Whether the server was killed.
    pub(crate) fn is_over(&self) -> bool {
        self.waits.load(Ordering::Relaxed) == OVER
    }

    /// Marks the start of a wait. It ends when the returned value is dropped.
    pub(crate) fn begin(&self) -> Waiting {
        self.waits.fetch_add(1, Ordering::Relaxed);
        Waiting(Arc::clone(&self.waits))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_server_without_output_is_killed() {
        let mut silent = Command::new("sleep").arg("600").stdout(Stdio::piped()).spawn().unwrap();
        let timeout = ResponseTimeout::of(silent.id(), Duration::from_millis(20));
        let _waiting = timeout.begin();
        let mut output = Vec::new();
        silent.stdout.take().unwrap().read_to_end(&mut output).unwrap();
        assert!(output.is_empty() && timeout.is_over() && !silent.wait().unwrap().success());
    }
}
