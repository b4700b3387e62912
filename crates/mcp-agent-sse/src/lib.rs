//! Sends the messages of an agent session as server-sent events over HTTP.
//!
//! [`Events`] is a response body for hyper, axum and other crates that use [`http_body::Body`]. A
//! [`Narrator`](mcp_agent::event::Narrator) turns the messages of a session into events. The body reads the session only as
//! fast as the client reads the response, and sends keep-alive comments. When the client disconnects, the body and its
//! session are dropped.
//!
//! ```no_run
//! use mcp_agent::{Agent, event::Narrator};
//! use mcp_agent_sse::Events;
//!
//! // In a handler of axum: `response.map(axum::body::Body::new)`.
//! fn run(prompt: String) -> http::Response<Events<mcp_agent::Query>> {
//!     let query = Agent::new().partial_messages(true).query(prompt);
//!     Events::new(query, Narrator::new("chat_1")).into_response()
//! }
//! ```
//!
//! If several clients watch one session, or if the session must continue after a client disconnects, read the session in a
//! task and send every message to each client through a [`channel`].

mod channel;
mod encode;
mod events;

pub use channel::{Disconnected, Receiver, Sender, channel};
pub use events::Events;
