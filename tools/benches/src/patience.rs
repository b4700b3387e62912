//! An end for servers that say nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// How long a server may say nothing at all, and at most twice that.
const PATIENCE: Duration = Duration::from_secs(60);

const OVER: u64 = u64::MAX;

/// Kills a server that is waited for in vain, which ends the wait. It looks so seldom that it disturbs nothing.
#[derive(Debug)]
pub(crate) struct Patience {
    /// Odd while somebody waits, [`OVER`] when that was in vain.
    waits: Arc<AtomicU64>,
    _ended: Sender<()>,
}

/// Somebody waits for the server.
#[derive(Debug)]
pub(crate) struct Waiting(Arc<AtomicU64>);

impl Patience {
    pub(crate) fn with(server: u32) -> Patience {
        Patience::of(server, PATIENCE)
    }

    fn of(server: u32, patience: Duration) -> Patience {
        let (waits, (ended, end)) = (Arc::new(AtomicU64::new(0)), channel());
        let seen = Arc::clone(&waits);
        thread::spawn(move || {
            let mut before = 0;
            while end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                let now = seen.load(Ordering::Relaxed);
                if now % 2 == 1 && now == before {
                    seen.store(OVER, Ordering::Relaxed);
                    let _ = kill(Pid::from_raw(server.cast_signed()), Signal::SIGKILL);
                    return;
                }
                before = now;
            }
        });
        Patience { waits, _ended: ended }
    }

    /// Whether the server was killed.
    pub(crate) fn is_over(&self) -> bool {
        self.waits.load(Ordering::Relaxed) == OVER
    }

    /// From now on somebody waits, until what this gives is dropped.
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
    fn a_server_that_says_nothing_is_ended_while_it_is_waited_for() {
        let mut silent = Command::new("sleep").arg("600").stdout(Stdio::piped()).spawn().unwrap();
        let patience = Patience::of(silent.id(), Duration::from_millis(20));
        let _waiting = patience.begin();
        let mut said = Vec::new();
        silent.stdout.take().unwrap().read_to_end(&mut said).unwrap();
        assert!(said.is_empty() && patience.is_over() && !silent.wait().unwrap().success());
    }
}
