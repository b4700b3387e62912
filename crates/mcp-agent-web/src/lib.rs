//! Agent sessions that several people watch and steer over HTTP.
//!
//! A [`Hub`] runs the sessions of a program, one for each chat. Any number of clients watch a chat as server-sent events. They
//! send prompts, interrupts and answers with POST requests. A client that was disconnected continues after the last event that
//! it has received; one that comes late gets a snapshot first. A chat whose CLI has exited is continued by its next prompt.
//!
//! ```no_run
//! use mcp_agent::Agent;
//! use mcp_agent_web::Hub;
//!
//! # async fn program() -> std::io::Result<()> {
//! let hub = Hub::builder(|chat| Agent::new().permission(chat.ask())).build();
//! let token = hub.token().unwrap_or_default().to_owned();
//! let app = axum::Router::new().nest("/agent", hub.router());
//! hub.serve_with(app, "127.0.0.1:8080", |address| println!("http://{address}/agent/login?token={token}")).await
//! # }
//! ```
//!
//! | request | effect |
//! |---|---|
//! | `GET /chats/{chat}/events` | the events of the chat; after `Last-Event-ID`, or from a snapshot. 204 after the end of the chat |
//! | `POST /chats/{chat}/commands` | sends a [`Command`] as JSON |
//! | `GET /sessions` | earlier sessions, which can be continued |
//! | `GET /login?token=..` | stores the token in a cookie, for an `EventSource` |
//!
//! The id of a chat is a UUID that the client chooses. It is also the id of the CLI's session.
//!
//! Watching never starts a session: only a prompt does, and a prompt whose id was used before is ignored. So a client may
//! connect again, and send a prompt again, as often as it likes.
//!
//! # Events
//!
//! The events of a session are those of a [`Narrator`](mcp_agent::event::Narrator). The hub adds its own: `chat.prompt`,
//! `chat.ask` (a question that waits for an answer), `chat.answered`, `chat.mode`, `chat.dropped` (how many partial messages
//! were left out), `chat.resumed`, `chat.end` and `chat.snapshot`, whose data is a [`Transcript`].
//!
//! # Several instances
//!
//! A [`ChatStore`] that several instances share makes every chat available on each of them. One instance runs the session of a
//! chat; another one continues it when that instance is gone. The crate `mcp-agent-web-redis` is such a store.

mod access;
mod chat;
mod command;
mod decoder;
mod error;
mod hub;
mod imported;
mod item;
mod messages;
mod options;
mod routes;
mod session;
mod sessions;
mod shared;
pub mod store;
mod transcript;
mod watch;

pub use access::{Access, Caller};
pub use chat::Chat;
pub use command::{Answer, Command, InvalidCommand};
pub use decoder::Decoder;
pub use error::WebError;
pub use hub::{Hub, HubBuilder};
pub use item::{Item, ItemKind};
pub use store::{ChatStore, MemoryStore, NumberedEvents};
pub use transcript::Transcript;
pub use watch::{Update, Watch};
