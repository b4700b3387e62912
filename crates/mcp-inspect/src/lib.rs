//! The inspector: a page in the browser that shows what an MCP server offers, calls it, and answers its questions.
//!
//! `cargo mcp inspect` runs it. The page is plain HTML, CSS and JavaScript and is a part of the program. This crate serves it on
//! the loopback interface, and connects to the server with `mcp-client`, so the server can be a program or a URL, in any language.
//!
//! # Security
//! Neither other pages in the browser nor the server are trusted.
//!
//! - Every request of the page carries a random token. The browser gets it in the fragment of the first address, which is not
//!   sent over the network; the page removes it from the address. Requests with another `Host` or `Origin` are refused.
//! - Text of the server is never parsed as HTML, and the content security policy forbids scripts that are not part of the page.
//!   Pictures and sounds are shown only if their type is on a list.
//! - The memory is bounded: the journal of messages keeps the last ones, and long messages are cut.
//!
//! # For contributors
//! `access.rs` checks requests, `api.rs` has the functions that the page calls, `connection.rs` keeps the client, `questions.rs`
//! the questions of the server, `journal.rs` the messages, `events.rs` sends both to the page. The page is in `page/`.

mod access;
mod api;
mod assets;
mod connection;
mod events;
mod journal;
mod lines;
mod questions;

use std::fmt;
use std::future::IntoFuture;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use mcp_client::Builder;
use serde_json::Value;
use tokio::net::TcpListener;

use self::access::Access;
use self::connection::Connection;

/// An inspector of one server, which listens on the loopback interface.
pub struct Inspector {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
}

/// What all requests share.
struct App {
    access: Access,
    connection: Connection,
}

impl Inspector {
    /// Listens on a port of 127.0.0.1. The port 0 lets the system choose one.
    ///
    /// `connect` returns a client of the server that is not connected yet; it is called for every new connection. `server`
    /// describes it to the page: `{"kind": "process", "words": [..]}`, or `{"kind": "http", "url": .., "headers": [names]}`, or
    /// the same with the kind `sse`.
    ///
    /// # Errors
    /// If the port is in use, or the system has no random numbers.
    pub async fn bind<C>(port: u16, server: Value, connect: C) -> io::Result<Inspector>
    where
        C: Fn() -> Result<Builder, String> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let app = App { access: Access::new(address.port())?, connection: Connection::new(server, Box::new(connect)) };
        Ok(Inspector { listener, address, app: Arc::new(app) })
    }

    /// Returns the address to open in the browser. It contains the token: whoever knows it can use the server.
    pub fn url(&self) -> String {
        format!("http://{}/#{}", self.address, self.app.access.token())
    }

    /// Serves the page until `end` completes. Then it closes the connection to the server, which ends if it is a process.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn serve(self, end: impl Future) -> io::Result<()> {
        let app = self.app.clone();
        let served = tokio::select! {
            served = axum::serve(self.listener, api::router(self.app)).into_future() => served,
            _ = end => Ok(()),
        };
        app.connection.close().await;
        served
    }
}

impl fmt::Debug for Inspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the token.
        f.debug_struct("Inspector").field("address", &self.address).finish_non_exhaustive()
    }
}
