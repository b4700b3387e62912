//! Checks the transitions of mcp-stdio's driver, and of mcp-agent's table of requests in flight, under all interleavings of
//! their threads, with loom.
//!
//! The transitions are those of production: `State` and `Queue` have no lock and start no thread. `shared` puts them under
//! loom's mutex and condition variables as `mcp-stdio/src/driver/shared.rs` puts them under those of std. `threads` has short
//! versions of the leader, the supervisor and the writer thread. `requests` does the same for `InFlight` of mcp-agent.
//!
//! ```sh
//! cargo test --package driver-model
//! LOOM_MAX_PREEMPTIONS=4 cargo test --release --package driver-model    # more interleavings, takes minutes
//! ```

#![cfg(test)]

mod queue;
mod requests;
mod shared;
mod threads;
