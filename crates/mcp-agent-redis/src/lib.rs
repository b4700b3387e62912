//! A session store in Redis: transcripts of agents that several machines share.
//!
//! ```no_run
//! # async fn program() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use mcp_agent::Agent;
//! use mcp_agent_redis::RedisStore;
//!
//! let store = RedisStore::connect("redis://127.0.0.1:6379").await?.retention(Duration::from_secs(30 * 24 * 3600));
//! let agent = Agent::new().session_store(Arc::new(store));
//! # Ok(())
//! # }
//! ```
//!
//! A [`RedisStore`] is one connection that reconnects by itself; all clones share it. An append is one script, so several
//! processes can append to the same session. Lines that a transcript has already are recognized by their id.

mod keys;
mod store;

pub use store::RedisStore;
