//! What the instances of a server share, in Redis.
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
//! A [`Redis`] is one connection that comes back by itself, shared by all its clones. It is a
//! [`SessionStore`](mcp_core::transport::SessionStore), where a session is one key, which Redis forgets when nobody has used it for long
//! enough, and a [`TaskStore`](mcp_core::task::TaskStore), where a task is one that ends when its time is up.

mod redis_store;
mod sessions;
mod tasks;

pub use redis_store::Redis;
