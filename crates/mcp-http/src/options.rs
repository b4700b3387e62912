//! How to serve.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::transport::SessionStore;
use mcp_core::{BuildError, IntoServer};
use tokio::net::ToSocketAddrs;

use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::gate::Gate;
use crate::listener::Listener;
use crate::observer::{Observer, Watchers};
use crate::protection::Protection;

/// How to serve over HTTP, where the defaults do not fit.
///
/// ```no_run
/// # async fn program() -> Result<(), mcp_http::Error> {
/// let http = mcp_http::Http::new().allow_hosts(["mcp.example.com"]).allow_origins(["https://app.example.com"]);
/// http.listen(mcp_core::server!(), "0.0.0.0:8080").await?.serve().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "options do nothing until something is served with them"]
#[non_exhaustive]
pub struct Http {
    pub(crate) gate: Gate,
    pub(crate) watchers: Watchers,
    pub(crate) protection: Option<Protection>,
    pub(crate) path: String,
    pub(crate) sse: Option<String>,
    pub(crate) max_body: usize,
    pub(crate) body_timeout: Duration,
    pub(crate) header_timeout: Duration,
    pub(crate) write_timeout: Duration,
    pub(crate) max_connections: usize,
    pub(crate) max_requests: usize,
    pub(crate) max_streams: usize,
    pub(crate) max_sessions: usize,
    pub(crate) session_idle: Duration,
    pub(crate) session_store: Option<Arc<dyn SessionStore>>,
    pub(crate) grace: Duration,
}

impl Http {
    /// The defaults: loopback only, bodies of 4 MiB, a thousand requests and as many sessions at once.
    pub fn new() -> Http {
        Http {
            gate: Gate::default(),
            watchers: Watchers::default(),
            protection: None,
            path: "/mcp".to_owned(),
            sse: None,
            max_body: 4 << 20,
            body_timeout: Duration::from_secs(30),
            header_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            max_connections: 1024,
            max_requests: 1024,
            max_streams: 512,
            max_sessions: 1024,
            session_idle: Duration::from_secs(30 * 60),
            session_store: None,
            grace: Duration::from_secs(10),
        }
    }

    /// Also answers to these names, with any port unless one is given. Others than these and loopback are refused, because a
    /// web page can make any name of its own lead to this machine.
    pub fn allow_hosts<S: Into<String>>(mut self, hosts: impl IntoIterator<Item = S>) -> Http {
        self.gate.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Answers to any name: for servers behind a proxy that checks it.
    pub fn allow_any_host(mut self) -> Http {
        self.gate.any_host = true;
        self
    }

    /// Also answers web pages of these origins, such as `https://app.example.com`. Others than these and those on loopback
    /// are refused. Clients that are no browsers send no origin.
    pub fn allow_origins<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Http {
        self.gate.origins.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Serves only those who bring a token.
    pub fn protect(mut self, protection: Protection) -> Http {
        self.protection = Some(protection);
        self
    }

    /// Tells somebody of every request when it begins and when it ends: metrics, and spans that go on from a client's.
    pub fn observe(mut self, observer: impl Observer) -> Http {
        self.watchers = Watchers(Some(Arc::new(observer)));
        self
    }

    /// The path of the endpoint when [listening](Http::listen): `/mcp` unless you say otherwise.
    pub fn path(mut self, path: impl Into<String>) -> Http {
        self.path = path.into();
        self
    }

    /// Also serves clients of 2024-11-05 that know only the transport before this one (HTTP+SSE), at `/sse`.
    ///
    /// Such a client opens one stream, is told on it where to post, and gets all answers there; its session ends with the
    /// stream. In an application of your own, mount the endpoint at `/sse` a second time.
    pub fn with_sse(mut self) -> Http {
        self.sse = Some("/sse".to_owned());
        self
    }

    /// How many bytes one message may have. All large ones together may have 64 MiB, or this if it is more.
    pub fn max_body(mut self, bytes: usize) -> Http {
        self.max_body = bytes;
        self
    }

    /// How long a message may take to arrive.
    pub fn body_timeout(mut self, time: Duration) -> Http {
        self.body_timeout = time;
        self
    }

    /// How long the head of a request may take to arrive, and how long a connection may be idle, when
    /// [listening](Http::listen).
    pub fn header_timeout(mut self, time: Duration) -> Http {
        self.header_timeout = time;
        self
    }

    /// How long a client may take nothing of what is sent to it, when [listening](Http::listen).
    pub fn write_timeout(mut self, time: Duration) -> Http {
        self.write_timeout = time;
        self
    }

    /// How many connections are accepted at once when [listening](Http::listen); others wait in the system's queue.
    pub fn max_connections(mut self, most: usize) -> Http {
        self.max_connections = most;
        self
    }

    /// How many requests are worked on at once; one more is told to come back.
    pub fn max_requests(mut self, most: usize) -> Http {
        self.max_requests = most;
        self
    }

    /// How many of them may be streams of changes, which stay open.
    pub fn max_streams(mut self, most: usize) -> Http {
        self.max_streams = most;
        self
    }

    /// How many sessions there may be with clients that begin with a handshake. When there are as many, one that has been
    /// idle for a minute makes room for another.
    pub fn max_sessions(mut self, most: usize) -> Http {
        self.max_sessions = most;
        self
    }

    /// How long a session may be idle before it ends.
    pub fn session_idle(mut self, time: Duration) -> Http {
        self.session_idle = time;
        self
    }

    /// Keeps sessions in a store that all instances of the server share: any of them goes on with any session.
    ///
    /// The store is asked with every request of a session. What is being worked on, its stream and its questions to the client
    /// stay with the instance that began it; a load balancer that routes by `Mcp-Session-Id` keeps them together.
    pub fn session_store(mut self, store: impl SessionStore) -> Http {
        self.session_store = Some(Arc::new(store));
        self
    }

    /// No sessions: every request stands alone, in whatever revision, and can be sent to any instance of the server.
    ///
    /// Clients of revisions with a handshake can then be asked nothing and told nothing but answers and what belongs to them.
    pub fn without_sessions(self) -> Http {
        self.max_sessions(0)
    }

    /// How long requests may still take at the end, when [listening](Http::listen); then they are cancelled.
    pub fn grace(mut self, grace: Duration) -> Http {
        self.grace = grace;
        self
    }

    /// The server as a [`tower_service::Service`], to mount where you like.
    ///
    /// # Errors
    /// What is wrong with the server.
    pub fn endpoint(self, server: impl IntoServer) -> Result<Endpoint, BuildError> {
        Ok(Endpoint::new(server.into_server()?, &self))
    }

    /// Whether something is served at a path when listening.
    pub(crate) fn is_served(&self, path: &str) -> bool {
        let own = path == self.path || self.sse.as_deref() == Some(path);
        own || self.protection.as_ref().is_some_and(|protection| protection.is_metadata(path))
    }

    /// Listens on an address. Nothing is accepted until the listener serves.
    ///
    /// # Errors
    /// When the server is built wrong, or the address cannot be listened on.
    pub async fn listen(self, server: impl IntoServer, address: impl ToSocketAddrs) -> Result<Listener, Error> {
        Listener::bind(server.into_server()?, address, self).await
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Http");
        shown.field("gate", &self.gate).field("path", &self.path).field("protection", &self.protection);
        shown.field("max_requests", &self.max_requests).field("max_sessions", &self.max_sessions).finish_non_exhaustive()
    }
}

impl Default for Http {
    fn default() -> Http {
        Http::new()
    }
}
