//! Sessions and tasks in Redis, shared by the instances of a server.
//!
//! ```no_run
//! # async fn program() -> Result<(), Box<dyn std::error::Error>> {
//! use mcp_core::task::Tasks;
//! use mcp_http::Http;
//! use mcp_redis::Redis;
//!
//! let redis = Redis::connect("redis://127.0.0.1:6379").await?;
//! let http = Http::new().session_store(redis.clone());
//! let server = mcp_core::server!().tasks(Tasks::default().store(redis));
//! http.listen(server, "127.0.0.1:8080").await?.serve().await?;
//! # Ok(())
//! # }
//! ```
//!
//! A [`Redis`] is one connection that reconnects by itself; all clones share it. It is a
//! [`SessionStore`](mcp_core::transport::SessionStore) and a [`TaskStore`](mcp_core::task::TaskStore). Each session and each task
//! is one key. The key of a session expires when the session was idle for too long, the key of a task at the end of its time to
//! live.

mod redis_store;
mod sessions;
mod tasks;

pub use redis_store::Redis;
