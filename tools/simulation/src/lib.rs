//! Runs the parts of this workspace in a deterministic world. A seed decides everything that is left to chance: what clients
//! send, in which order tasks run, how streams are split, delayed and cut, and when time passes. After every step the world
//! checks what must always hold:
//!
//! - Each request gets exactly one response, with its own content.
//! - A cancelled request gets no response after the server has received the cancellation.
//! - Nothing is lost: a world in which nothing can happen any more has no open request.
//! - An agent session delivers the messages of the CLI in their order and once, or ends with an error.
//! - Memory is bounded: as many calls are in flight as requests are open, nothing is left at the end, and the messages of an agent
//!   session that were not read stay under the limit that is configured.
//! - The end is orderly, also if the connection is cut.
//!
//! | world | what runs in it | file |
//! |---|---|---|
//! | `session` | a session of `mcp-core` with tasks, behind stdio framing, with a scheduler and a clock of its own | `session/` |
//! | `stream` | `mcp_client::Client` and `mcp_stdio::serve_on` over pipes | `stream/` |
//! | `http` | an `mcp_http::Endpoint` with many requests and sessions | `http.rs` |
//! | `agent` | an `mcp_agent::Session` and a CLI that also breaks the protocol | `agent/` |
//!
//! The last three run on a tokio runtime with one thread and a paused clock. tokio polls the branches of a `select!` in a random
//! order that cannot be seeded; the worlds avoid that two branches are ready at the same time, and a test runs seeds twice.
//!
//! [`Bug`] lists bugs that a world can plant in its own parts. A test shows that the checks find every one of them.

mod agent;
mod bug;
mod http;
mod random;
mod session;
mod stream;
mod trace;

use std::fmt;

pub use bug::Bug;

use trace::Trace;

/// Runs one seed of a world, with or without a planted bug.
pub type World = fn(seed: u64, bug: Option<Bug>) -> Result<Finished, Failure>;

/// All worlds, by name.
pub const WORLDS: [(&str, World); 4] =
    [("session", session::simulate), ("stream", stream::simulate), ("http", http::simulate), ("agent", agent::simulate)];

/// A simulation in which everything held that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// A hash of all events. Equal for two runs of the same seed.
    pub hash: u64,
    /// The number of events.
    pub events: u64,
}

/// A simulation that violated a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The seed that shows it again.
    pub seed: u64,
    /// What does not hold.
    pub reason: String,
    /// A hash of all events.
    pub hash: u64,
    /// The last events.
    pub last_events: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}: {}\nthe last events:\n{}", self.seed, self.reason, self.last_events)
    }
}

/// Describes how a simulation ended.
fn report(seed: u64, trace: &Trace, outcome: Result<(), String>) -> Result<Finished, Failure> {
    let hash = trace.hash();
    match outcome {
        Ok(()) => Ok(Finished { hash, events: trace.count() }),
        Err(reason) => Err(Failure { seed, reason, hash, last_events: trace.last_events() }),
    }
}

/// Runs a world on a tokio runtime with one thread and a paused clock.
fn run_paused(seed: u64, trace: &Trace, world: impl Future<Output = Result<(), String>>) -> Result<Finished, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(async {
            // The clock moves only while everything waits, so this is reached only by a world that no longer makes progress.
            let limit = std::time::Duration::from_secs(100_000);
            tokio::time::timeout(limit, world).await.unwrap_or_else(|_| Err("deadlock: the world does not end".to_owned()))
        }),
        Err(error) => Err(format!("no runtime: {error}")),
    };
    report(seed, trace, outcome)
}
