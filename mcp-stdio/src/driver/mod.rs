//! Runs a session on standard input and output for [`run`](crate::run).
//!
//! - Of a few **reader threads**, exactly one is the leader (`leader.rs`). It blocks in `read`, and nothing else wakes it. It
//!   handles the messages of a chunk in order, polls each call once in place, writes all replies together, and reads on. A
//!   call that completes in its first poll needs no other thread.
//! - The main thread is the **supervisor** (`supervisor.rs`). It waits on one condition variable. While the leader is busy, it
//!   ticks; if the leader is still in the same call or write after a tick, another reader thread becomes the leader.
//! - Calls that are pending after their first poll run on a tokio runtime (`host.rs`), and the **writer thread** writes their
//!   replies.
//! - The end of input, a signal, the death of the parent process, a write error and a panic are requests to shut down. The
//!   supervisor lets calls finish and returns from `run`, while the leader may still be blocked in `read`.
//!
//! What these threads share is one [`State`](state::State) behind one mutex (`shared.rs`).

pub(crate) mod host;
pub(crate) mod leader;
pub(crate) mod shared;
pub(crate) mod shutdown;
pub(crate) mod state;
pub(crate) mod supervisor;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use mcp_core::transport::Session;

use crate::driver::host::RunHost;
use crate::driver::shared::Shared;
use crate::driver::shutdown::ShutdownReason;
use crate::driver::state::State;

/// Maximum number of reader threads.
///
/// The number is small: each thread that blocks delays all messages behind it by up to two ticks of the supervisor. When all
/// threads but the leader are blocked, calls go to the runtime and its blocking threads at once. That is slower for short
/// calls and makes no difference for long ones.
pub(crate) const READER_THREADS: usize = 10;

/// A session and what its threads share.
#[derive(Debug)]
pub(crate) struct Driver {
    session: Session,
    host: Arc<RunHost>,
    shared: Arc<Shared>,
}

impl Driver {
    pub(crate) fn new(session: Session, host: Arc<RunHost>, shared: Arc<Shared>) -> Arc<Driver> {
        Arc::new(Driver { session, host, shared })
    }

    /// Starts a reader thread if none waits to become the leader and there are not too many.
    pub(crate) fn ensure_reader_thread(self: &Arc<Driver>) -> io::Result<()> {
        if !self.shared.with(State::add_thread) {
            return Ok(());
        }
        let driver = self.clone();
        let started = thread::Builder::new().name("mcp-reader".into()).spawn(move || driver.run_reader_thread());
        started.map(drop).inspect_err(|_| self.shared.with(State::remove_thread))
    }

    fn run_reader_thread(self: &Arc<Driver>) {
        while let Some(input) = self.shared.wait_for_turn() {
            if catch_unwind(AssertUnwindSafe(|| self.lead(input))).is_err() {
                // Panics of tools are caught by the session, so this is a bug of this crate. End the process: without a
                // leader it would hang.
                self.stop_reading(ShutdownReason::Panic);
            }
            self.shared.with(State::return_thread);
        }
    }

    /// Requests the shutdown, because nothing can be read any more.
    fn stop_reading(&self, reason: ShutdownReason) {
        self.shared.with(|state| {
            state.request_shutdown(reason);
            state.stop_reading();
        });
    }
}
