//! The options of an HTTP server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use mcp_core::transport::SessionStore;
use mcp_core::{BuildError, IntoServer};
use tokio::net::ToSocketAddrs;

use crate::checks::{AllowList, Protection};
use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::limits::Limits;
use crate::listener::Listener;
use crate::observer::{Observer, Observers};
use crate::peer::{ProxyHeader, TrustedProxies};

/// The options of an HTTP server.
///
/// ```no_run
/// # async fn program() -> Result<(), mcp_http::Error> {
/// let http = mcp_http::Http::new().allow_hosts(["mcp.example.com"]).allow_origins(["https://app.example.com"]);
/// http.listen(mcp_core::server!(), "0.0.0.0:8080").await?.serve().await
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
    pub(crate) proxies: TrustedProxies,
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
            proxies: TrustedProxies::none(),
            limits: Limits::default(),
        }
    }

    /// Accepts these host names in the header `Host`, in addition to loopback names. A name without a port matches every port.
    ///
    /// Requests with another host are answered with `403`: a web page can make any domain of its own resolve to the address of this server (DNS
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
    /// Requests with another `Origin` are answered with `403`. Clients that are not browsers send no `Origin`.
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

    /// Sets the maximum number of bytes of a request body. The default is 4 MiB.
    ///
    /// Bodies above 16 KiB that are in memory at the same time share 64 MiB, of which one client may use a quarter; both
    /// values are at least the maximum of one body.
    pub fn max_body(mut self, bytes: usize) -> Http {
        self.limits.max_body = bytes;
        self
    }

    /// Sets the timeout for receiving a request body. The default is 30 seconds.
    pub fn body_timeout(mut self, time: Duration) -> Http {
        self.limits.body_timeout = time;
        self
    }

    /// Sets the timeout for receiving the headers of a request when [listening](Http::listen). The default is 30 seconds.
    ///
    /// If the headers are incomplete, the request is answered with `408`. A connection on which nothing was received since the
    /// last response is closed after the same time.
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

    /// Sets the maximum number of open connections when [listening](Http::listen). The default is 1024.
    ///
    /// At the limit, a new connection replaces an idle one: first one on which no request was received, then one of the peer
    /// that has the most connections, then the one that has been idle longest. If no connection is idle, new connections wait.
    pub fn max_connections(mut self, most: usize) -> Http {
        self.limits.connections.total = most;
        self
    }

    /// Sets the maximum number of open connections of one peer when [listening](Http::listen). The default is a quarter of
    /// [`max_connections`](Http::max_connections).
    ///
    /// At the limit, a new connection replaces an idle one of the same peer. If none is idle, the new connection is closed.
    /// A peer is an IPv4 address or an IPv6 network (/64). [Trusted proxies](Http::trust_proxies) are not limited.
    pub fn max_connections_per_peer(mut self, most: usize) -> Http {
        self.limits.connections.per_client = Some(most);
        self
    }

    /// Sets the maximum number of concurrent requests. Further requests are answered with `503`. The default is 1024.
    pub fn max_requests(mut self, most: usize) -> Http {
        self.limits.requests.total = most;
        self
    }

    /// Sets the maximum number of concurrent requests of one client. Further requests are answered with `429`. The default is a
    /// quarter of [`max_requests`](Http::max_requests).
    ///
    /// A client is a principal or, for requests without a principal, a peer (see [`PeerAddress`](crate::PeerAddress)).
    pub fn max_requests_per_client(mut self, most: usize) -> Http {
        self.limits.requests.per_client = Some(most);
        self
    }

    /// Sets the maximum number of concurrent streams that stay open, such as subscriptions. Further ones are answered with
    /// `503`. The default is 512.
    pub fn max_streams(mut self, most: usize) -> Http {
        self.limits.streams.total = most;
        self
    }

    /// Sets the maximum number of concurrent streams of one [client](Http::max_requests_per_client). Further ones are answered
    /// with `429`. The default is a quarter of [`max_streams`](Http::max_streams).
    pub fn max_streams_per_client(mut self, most: usize) -> Http {
        self.limits.streams.per_client = Some(most);
        self
    }

    /// Sets the maximum number of sessions of clients that use the handshake (`initialize`). The default is 1024.
    ///
    /// At the limit, a new session replaces an idle session of the client that has the most: first one that was not used after
    /// its handshake, then the one that has been idle longest. If the client that has the most is the one that sends the
    /// handshake, a session that was used is replaced only if it has been idle for a minute. If no session can be replaced,
    /// the handshake is answered with `503`.
    pub fn max_sessions(mut self, most: usize) -> Http {
        self.limits.sessions.total = most;
        self
    }

    /// Sets the maximum number of sessions of one [client](Http::max_requests_per_client). The default is a quarter of
    /// [`max_sessions`](Http::max_sessions).
    ///
    /// At the limit, a new session replaces an idle session of the same client: one that was not used after its handshake, or
    /// one that has been idle for a minute. If there is none, the handshake is answered with `429`.
    pub fn max_sessions_per_client(mut self, most: usize) -> Http {
        self.limits.sessions.per_client = Some(most);
        self
    }

    /// Reads the address of a client from `header` if the request came from one of these proxies. The default is to ignore such
    /// headers.
    ///
    /// The addresses in the header are read from the right; the first one that is not in `networks` is the client. Choose the
    /// header that your proxy sets or appends to: it must not pass on a header of this name from the client unchanged.
    ///
    /// ```
    /// use mcp_http::{Http, IpNet, ProxyHeader};
    ///
    /// let http = Http::new().trust_proxies(ProxyHeader::XForwardedFor, ["10.0.0.0/8".parse::<IpNet>()?]);
    /// # let _ = http;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trust_proxies<N: Into<IpNet>>(mut self, header: ProxyHeader, networks: impl IntoIterator<Item = N>) -> Http {
        self.proxies = TrustedProxies::new(header, networks.into_iter().map(Into::into).collect());
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

    /// Returns whether a listener serves this path.
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
