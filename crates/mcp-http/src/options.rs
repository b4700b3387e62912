//! The options of an HTTP server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcp_core::transport::SessionStore;
use mcp_core::{BuildError, IntoServer};
use tokio::net::ToSocketAddrs;

use crate::checks::{AllowList, Protection};
use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::limits::Limits;
use crate::listener::Listener;
use crate::observer::{Observer, Observers};

/// The options of an HTTP server.
///
/// ```no_run
/// # async fn program() -> Result<(), mcp_http::Error> {
/// let http = mcp_http::Http::new().allow_hosts(["mcp.example.com"]).allow_origins(["https://app.example.com"]);
/// http.listen(mcp_core::server!(), "0.0.0.0:8080").await?.serve().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "options have no effect until a server is started with them"]
#[non_exhaustive]
pub struct Http {
    pub(crate) allow_list: AllowList,
    pub(crate) observers: Observers,
    pub(crate) protection: Option<Protection>,
    pub(crate) path: String,
    /// The path of the legacy SSE transport; `None` if it is disabled.
    pub(crate) sse_path: Option<String>,
    pub(crate) session_store: Option<Arc<dyn SessionStore>>,
    pub(crate) limits: Limits,
}

impl Http {
    /// Returns the default options: loopback only, bodies of up to 4 MiB, 1024 concurrent requests and 1024 sessions.
    pub fn new() -> Http {
        Http {
            allow_list: AllowList::default(),
            observers: Observers::default(),
            protection: None,
            path: "/mcp".to_owned(),
            sse_path: None,
            session_store: None,
            limits: Limits::default(),
        }
    }

    /// Accepts these host names in the header `Host`, in addition to loopback names. A name without a port matches every port.
    ///
    /// Other hosts are refused: a web page can make any domain of its own resolve to the address of this server (DNS
    /// rebinding).
    pub fn allow_hosts<S: Into<String>>(mut self, hosts: impl IntoIterator<Item = S>) -> Http {
        self.allow_list.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Accepts every host name. Use this only behind a proxy that checks the header `Host`.
    pub fn allow_any_host(mut self) -> Http {
        self.allow_list.any_host = true;
        self
    }

    /// Accepts requests from web pages of these origins, such as `https://app.example.com`, in addition to loopback origins.
    ///
    /// Requests with another `Origin` are refused. Clients that are not browsers send no `Origin`.
    pub fn allow_origins<S: Into<String>>(mut self, origins: impl IntoIterator<Item = S>) -> Http {
        self.allow_list.origins.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Requires a bearer token for every request.
    pub fn protect(mut self, protection: Protection) -> Http {
        self.protection = Some(protection);
        self
    }

    /// Calls `observer` at the start and at the end of every request, for example to export metrics or spans.
    pub fn observe(mut self, observer: impl Observer) -> Http {
        self.observers = Observers(Some(Arc::new(observer)));
        self
    }

    /// Sets the path of the endpoint when [listening](Http::listen). The default is `/mcp`.
    pub fn path(mut self, path: impl Into<String>) -> Http {
        self.path = path.into();
        self
    }

    /// Serves the HTTP+SSE transport of revision 2024-11-05 at `/sse`, in addition to the current transport.
    ///
    /// Such a client opens one stream. The first event of the stream is the URL that the client posts its messages to, and all
    /// responses are sent on the stream. The session ends when the stream is closed. In an application with its own router,
    /// mount the endpoint at `/sse` as well.
    pub fn with_sse(mut self) -> Http {
        self.sse_path = Some("/sse".to_owned());
        self
    }

    /// Sets the maximum number of bytes of a request body. The default is 4 MiB. All large bodies together are limited to
    /// 64 MiB, or to this value if it is greater.
    pub fn max_body(mut self, bytes: usize) -> Http {
        self.limits.max_body = bytes;
        self
    }

    /// Sets the timeout for receiving a request body. The default is 30 seconds.
    pub fn body_timeout(mut self, time: Duration) -> Http {
        self.limits.body_timeout = time;
        self
    }

    /// Sets the timeout for receiving the headers of a request, which is also the timeout of an idle connection, when
    /// [listening](Http::listen). The default is 30 seconds.
    pub fn header_timeout(mut self, time: Duration) -> Http {
        self.limits.header_timeout = time;
        self
    }

    /// Sets the time after which a connection is closed if the client reads nothing of what is sent to it, when
    /// [listening](Http::listen). The default is 30 seconds.
    pub fn write_timeout(mut self, time: Duration) -> Http {
        self.limits.write_timeout = time;
        self
    }

    /// Sets the maximum number of open connections when [listening](Http::listen). Further connections wait in the accept
    /// queue of the operating system. The default is 1024.
    pub fn max_connections(mut self, most: usize) -> Http {
        self.limits.max_connections = most;
        self
    }

    /// Sets the maximum number of concurrent requests. Further requests are answered with `503`. The default is 1024.
    pub fn max_requests(mut self, most: usize) -> Http {
        self.limits.max_requests = most;
        self
    }

    /// Sets the maximum number of concurrent streams that stay open, such as subscriptions. The default is 512.
    pub fn max_streams(mut self, most: usize) -> Http {
        self.limits.max_streams = most;
        self
    }

    /// Sets the maximum number of sessions of clients that use the handshake (`initialize`). The default is 1024.
    ///
    /// At the limit, a new session replaces the session that has been idle longest, if that is at least one minute. If there
    /// is none, the handshake is answered with `503`.
    pub fn max_sessions(mut self, most: usize) -> Http {
        self.limits.max_sessions = most;
        self
    }

    /// Sets the idle time after which a session ends. The default is 30 minutes.
    pub fn session_idle(mut self, time: Duration) -> Http {
        self.limits.session_idle = time;
        self
    }

    /// Keeps sessions in a store that all instances of the server share, so that every instance can serve every session.
    ///
    /// The store is read for each request of a session. Running calls, their streams and their requests to the client stay on
    /// the instance that started them. A load balancer that routes by `Mcp-Session-Id` keeps them together.
    pub fn session_store(mut self, store: impl SessionStore) -> Http {
        self.session_store = Some(Arc::new(store));
        self
    }

    /// Disables sessions. Every request is independent, in every revision, and can be sent to any instance of the server.
    ///
    /// The server then cannot send requests to clients of revisions with a handshake, and can send them notifications only
    /// while one of their own requests is in flight.
    pub fn without_sessions(self) -> Http {
        self.max_sessions(0)
    }

    /// Sets how long requests in flight may continue after a shutdown has started, when [listening](Http::listen). Then they
    /// are cancelled. The default is 10 seconds.
    pub fn grace(mut self, grace: Duration) -> Http {
        self.limits.grace = grace;
        self
    }

    /// Returns the server as a [`tower_service::Service`], which can be mounted in a web server.
    ///
    /// # Errors
    /// Returns an error if the server is invalid.
    pub fn endpoint(self, server: impl IntoServer) -> Result<Endpoint, BuildError> {
        Ok(Endpoint::new(server.into_server()?, &self))
    }

    /// Whether a listener serves this path.
    pub(crate) fn is_served(&self, path: &str) -> bool {
        path == self.path
            || self.sse_path.as_deref() == Some(path)
            || self.protection.as_ref().is_some_and(|protection| protection.is_metadata(path))
    }

    /// Binds an address. No connection is accepted before [`Listener::serve`] or [`Listener::serve_until`] is called.
    ///
    /// # Errors
    /// Returns an error if the server is invalid, or if the address cannot be bound.
    pub async fn listen(self, server: impl IntoServer, address: impl ToSocketAddrs) -> Result<Listener, Error> {
        Listener::bind(server.into_server()?, address, self).await
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Http");
        debug.field("allow_list", &self.allow_list).field("path", &self.path).field("protection", &self.protection);
        debug.field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Default for Http {
    fn default() -> Http {
        Http::new()
    }
}
