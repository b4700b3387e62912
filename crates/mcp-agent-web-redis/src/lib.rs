//! Keeps the chats of [`mcp_agent_web`] in Redis, so that several instances of a program share them.
//!
//! ```no_run
//! use mcp_agent::Agent;
//! use mcp_agent_web::Hub;
//! use mcp_agent_web_redis::RedisChats;
//!
//! # async fn program() -> Result<(), Box<dyn std::error::Error>> {
//! let chats = RedisChats::connect("redis://127.0.0.1:6379").await?;
//! let hub = Hub::builder(|chat| Agent::new().permission(chat.ask())).store(chats).build();
//! hub.serve("127.0.0.1:8080").await?;
//! # Ok(())
//! # }
//! ```
//!
//! The events of a chat are a Redis stream. A client that watches on one instance sees what the session on another one does;
//! when an instance is killed, its clients continue on another one after the last event that they have seen. The instance that
//! runs a session holds a lease, which Redis checks with every write.
//!
//! To continue the conversation itself on another machine, the instances must share the directory in which the CLI stores its
//! sessions.

mod listener;
mod scripts;
mod store;

pub use store::RedisChats;
