//! Serves an [`mcp_core`] server over HTTP.
//!
//! ```no_run
//! # async fn program() -> Result<(), mcp_http::Error> {
//! use mcp_core::{Context, Server, ToolSpec, tool_fn};
//! use mcp_core::serde_json::Value;
//!
//! let hello = tool_fn(ToolSpec::new("hello", "Say hello."), |_: Value, _: Context| async { "hello" });
//! mcp_http::serve(Server::builder("greeter", "1.0.0").tools(hello), "127.0.0.1:8080").await
//! # }
//! ```
//!
//! [`serve`] is enough for a server with the default options. [`Http`] has the options. A [`Listener`] can also be stopped by
//! a future of your own. An [`Endpoint`] is a tower service, for programs that already have a web server. All of them
//! guarantee the following:
//!
//! - **Responses are not mixed up.** Each request has its own message queue. Nothing is looked up by an id that a client chose.
//! - **Web pages have no access.** `Host` and `Origin` must be loopback or on the allow-lists, on every listening address.
//! - **Memory and time are limited.** There are limits for bodies, headers, requests, streams, sessions and connections, in
//!   total and for each client, and timeouts for clients that send or read too slowly.
//! - **A client that disconnects cancels its call.**
//! - **A session belongs to the principal that opened it**, if [tokens](Protection) identify principals.

mod backend;
mod body;
mod checks;
mod connection;
mod connections;
mod endpoint;
mod error;
mod handshake;
mod legacy_sse;
mod limits;
mod listener;
mod message_queue;
mod observer;
mod options;
mod peer;
mod quota;
mod responses;
mod stateless;
mod sys;
mod write_timeout;

use std::io;

use mcp_core::IntoServer;
use tokio::net::ToSocketAddrs;

pub use body::Body;
pub use checks::{Bearer, Protection, ResourceError, TokenError};
pub use endpoint::Endpoint;
pub use error::Error;
pub use ipnet::IpNet;
pub use listener::Listener;
pub use observer::{Observer, Operation, Outcome};
pub use options::Http;
pub use peer::{PeerAddress, ProxyHeader};

/// Serves at the path `/mcp` of `address` until a signal shuts the process down. Prints its URL to standard error.
///
/// The signals are SIGTERM and SIGINT, or Ctrl-C on Windows. At the first one the server refuses new connections and answers
/// the calls in flight, which have ten seconds to finish; then this function returns. A second signal ends the process at once.
/// [`Listener::serve_until`] leaves the signals to the program.
///
/// Only requests whose `Host` is a loopback name are accepted, on every listening address. To serve other machines, list the
/// host names of the server with [`Http::allow_hosts`].
///
/// # Errors
/// Returns an error if the server is invalid, if the address cannot be bound, or if the signal handlers cannot be installed.
pub async fn serve(server: impl IntoServer, address: impl ToSocketAddrs) -> Result<(), Error> {
    Http::new().listen(server, address).await?.serve().await
}

/// Returns a future that completes at the first SIGTERM or SIGINT (Ctrl-C on Windows). A second signal ends the process.
///
/// [`serve`] uses it. It is for programs with another listener:
/// `axum::serve(listener, router).with_graceful_shutdown(mcp_http::shutdown_signal()?)`.
///
/// # Errors
/// If the signal handlers cannot be installed.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(sys::ShutdownSignal::listen()?.received())
}
