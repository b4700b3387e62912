//! Checks the transitions of mcp-stdio's driver under all interleavings of its threads, with loom.
//!
//! The transitions are those of production: `State` and `Queue` have no lock and start no thread. `shared` puts them under
//! loom's mutex and condition variables as `mcp-stdio/src/driver/shared.rs` puts them under those of std. `threads` has short
//! versions of the leader, the supervisor and the writer thread.
//!
//! ```sh
//! cargo test --package driver-model
//! LOOM_MAX_PREEMPTIONS=4 cargo test --release --package driver-model    # more interleavings, takes minutes
//! ```

#![cfg(test)]

mod queue;
mod shared;
mod threads;
