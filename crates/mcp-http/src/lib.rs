//! Serve an [`mcp_core`] server over HTTP.
//!
//! ```no_run
//! # async fn program() -> Result<(), mcp_http::Error> {
//! use mcp_core::{Context, Server, ToolSpec, tool_fn};
//! use mcp_core::serde_json::Value;
//!
//! let hello = tool_fn(ToolSpec::new("hello", "Say hello."), |_: Value, _: Context| async { "hello" });
//! mcp_http::serve(Server::new("greeter", "1.0.0").tools(hello), "127.0.0.1:8080").await
//! # }
//! ```
//!
//! [`serve`] is the whole of a server that needs nothing else. [`Http`] has the options, a [`Listener`] stops when it is told
//! to, and an [`Endpoint`] is the server as a tower service, for programs that have a web server already. All of them give
//! the same promises:
//!
//! - **Nobody gets what is another's.** Each request has an outbox of its own; nothing is looked up by an id that a client chose.
//! - **Web pages stay out.** `Host` and `Origin` must be loopback or on the allow-lists, whatever address is listened on.
//! - **Memory is bounded**, and so is time: bodies, heads, requests, streams and connections have limits, what arrives too
//!   slowly or is not read is given up.
//! - **A client that goes away cancels its call.**
//! - **A session belongs to whom it was opened for**, where [tokens](Protection) say who that is.

mod admission;
mod bearer;
mod body;
mod channel;
mod conversation;
mod endpoint;
mod error;
mod events;
mod gate;
mod handshake;
mod host;
mod intake;
mod listener;
mod media;
mod mirror;
mod observer;
mod options;
mod protection;
mod refusal;
mod sessions;
mod shelf;
mod sse;
mod stall;
mod stateless;
mod watch;

use mcp_core::IntoServer;
use tokio::net::ToSocketAddrs;

pub use bearer::{Bearer, TokenError};
pub use body::Body;
pub use endpoint::Endpoint;
pub use error::Error;
pub use listener::Listener;
pub use observer::{Observer, Operation, Outcome};
pub use options::Http;
pub use protection::{Protection, ResourceError};

/// Serves at `/mcp` of that address, for ever.
///
/// Only requests that name this machine as loopback are answered, whatever the address: a server for others says by which
/// name it is called, with [`Http::allow_hosts`].
///
/// # Errors
/// When the server is built wrong, or the address cannot be listened on.
pub async fn serve(server: impl IntoServer, address: impl ToSocketAddrs) -> Result<(), Error> {
    Http::new().listen(server, address).await?.serve().await;
    Ok(())
}
