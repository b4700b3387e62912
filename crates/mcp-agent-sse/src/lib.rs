//! The events of an agent's session as server-sent events over HTTP.
//!
//! [`Events`] is a response body for hyper, axum and whatever else knows [`http_body::Body`]: the messages of a session,
//! told by a [`Narrator`](mcp_agent::event::Narrator), each as one event. It reads the session only as fast as its client
//! reads it, says now and then that it is alive, and when the client goes away it is dropped, and the session with it.
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
//! When a session should outlive its watchers, or has several, a program reads it and passes every message on through a
//! [`channel`] to each of them.

mod channel;
mod encode;
mod events;

pub use channel::{Feed, Gone, Watched, channel};
pub use events::Events;
