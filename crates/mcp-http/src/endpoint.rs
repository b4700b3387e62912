//! The endpoint: HTTP requests in, HTTP responses out.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Method, Request, Response, StatusCode};
use mcp_core::Server;
use mcp_core::transport::{BoxFuture, Message};
use tower_service::Service;

use crate::backend::Backend;
use crate::body::Body;
use crate::checks::header_check::{self, SESSION_ID};
use crate::checks::{Caller, Checks};
use crate::handshake::{Handshake, PendingSessionCall};
use crate::legacy_sse::LegacySse;
use crate::observer::{ObservedCall, Observers, RequestSpan};
use crate::options::Http;
use crate::quota::Share;
use crate::responses::{self, Refusal};
use crate::stateless::{self, PendingCall};

/// The HTTP methods that are supported.
const METHODS: &str = "GET, POST, DELETE";

/// An MCP server as a [`tower_service::Service`], which can be mounted in axum or in any other server built on hyper.
///
/// The endpoint does not route by path, except for the path of the [metadata](crate::Protection::metadata_path) and of the
/// [legacy SSE transport](Http::with_sse): it serves every request that it receives. Cloning is cheap, and all clones share
/// their limits. An application that authenticates its clients itself puts a [`Principal`](mcp_core::Principal) into the
/// extensions of the request. An application that limits each client also sets the [`PeerAddress`](crate::PeerAddress).
///
/// ```
/// use mcp_http::Http;
///
/// let endpoint = Http::new().endpoint(mcp_core::server!())?;
/// // axum: Router::new().route_service("/mcp", endpoint)
/// # let _ = endpoint;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Endpoint(Arc<Shared>);

/// What the clones of an endpoint share.
struct Shared {
    backend: Arc<Backend>,
    checks: Checks,
    observers: Observers,
    handshake: Handshake,
    /// The older transport with server-sent events. `None` unless it was enabled with [`Http::with_sse`].
    legacy_sse: Option<Arc<LegacySse>>,
}

/// A message that was posted, and what belongs to its request.
pub(crate) struct Posted<'a> {
    pub(crate) message: Message<'a>,
    /// The place of the request in the limit on concurrent requests.
    pub(crate) slot: Share,
    pub(crate) span: Option<RequestSpan>,
}

/// A message that a session has received.
pub(crate) enum Started {
    /// The response is ready.
    Done(Response<Body>),
    /// The call runs as long as its client waits.
    Call(PendingCall, ObservedCall),
    /// The call runs in a task; its client waits for the response.
    SessionCall(PendingSessionCall),
}

impl Endpoint {
    pub(crate) fn new(server: Server, options: &Http) -> Endpoint {
        let backend = Arc::new(Backend::new(server, &options.limits));
        Endpoint(Arc::new(Shared {
            checks: Checks::new(options),
            observers: options.observers.clone(),
            handshake: Handshake::new(backend.clone(), options),
            legacy_sse: options.sse_path.clone().map(|path| Arc::new(LegacySse::new(backend.clone(), path))),
            backend,
        }))
    }

    /// Ends the streams that would otherwise stay open, so that a graceful shutdown of the surrounding web server completes.
    ///
    /// Calls in flight continue until they are answered: a stream ends after the responses that are sent on it.
    pub fn close(&self) {
        self.0.backend.shut_down();
    }

    /// Ends all sessions and cancels their calls.
    pub(crate) fn end_sessions(&self) {
        self.0.handshake.end_sessions();
    }
}

impl Shared {
    async fn serve<B: http_body::Body>(&self, request: Request<B>) -> Result<Response<Body>, Refusal> {
        let (parts, body) = request.into_parts();
        self.checks.host_and_origin(&parts)?;
        header_check::check_expect(&parts.headers)?;
        if let Some(metadata) = self.checks.metadata(&parts, &self.backend.server) {
            return metadata;
        }
        let caller = self.checks.authenticate(parts).await?;
        if let Some(legacy) = self.legacy_sse.as_ref().filter(|legacy| legacy.is_at(caller.parts.uri.path())) {
            return Box::pin(self.serve_legacy(legacy, &caller, body)).await;
        }
        // The rare methods are boxed: the future of every request is as large as its largest branch.
        match caller.parts.method {
            Method::POST => self.post(&caller, body).await,
            Method::GET => Box::pin(self.handshake.get(&caller)).await,
            Method::DELETE => Box::pin(self.handshake.delete(&caller)).await,
            _ => Err(Refusal::method(METHODS)),
        }
    }

    async fn post<B: http_body::Body>(&self, caller: &Caller, body: B) -> Result<Response<Body>, Refusal> {
        let slot = self.backend.slots.request(&caller.client)?;
        let headers = &caller.parts.headers;
        header_check::check_content(headers)?;
        header_check::check_accept_of_post(headers)?;
        let body = self.checks.read_body(caller, body).await?;
        self.handshake.load_session(caller).await?;
        let started = self.start(caller, &body.bytes, slot);
        // The session has copied what it needs. Return the share of the memory budget before waiting for the call.
        drop(body);
        match started? {
            Started::Done(response) => self.handshake.save_session(caller, response).await,
            Started::Call(pending, call) => Ok(pending.respond(call).await),
            Started::SessionCall(call) => Ok(Box::pin(call.respond()).await),
        }
    }

    /// Parses the message and passes it to a session: everything that borrows the body.
    fn start(&self, caller: &Caller, bytes: &[u8], slot: Share) -> Result<Started, Refusal> {
        let headers = &caller.parts.headers;
        let stateless = header_check::is_stateless(headers);
        match Message::parse(bytes) {
            Message::Request(request) => {
                let summary = request.summary();
                let (is_handshake, long_lived) = (summary.is_handshake, summary.is_stream);
                let scopes = self.checks.scopes(&self.backend.server, caller, &summary);
                scopes.map_err(|refusal| refusal.for_request(Some(request.id.clone())))?;
                let span = self.observers.start(&request, &summary, headers);
                if !stateless && summary.revision.is_none() {
                    let posted = Posted { message: Message::Request(request), slot, span };
                    return self.handshake.post(caller, posted, is_handshake);
                }
                header_check::check_matches_body(headers, &request, &summary, &self.backend.server)
                    .map_err(|error| Refusal::protocol_violation(request.id.clone(), error))?;
                let posted = Posted { message: Message::Request(request), slot, span };
                stateless::start(&self.backend, caller, posted, long_lived)
            }
            Message::Malformed(malformed) if stateless || !headers.contains_key(SESSION_ID) => {
                Err(Refusal::with(StatusCode::BAD_REQUEST, malformed.error).for_request(malformed.id))
            }
            message if !stateless => self.handshake.post(caller, Posted { message, slot, span: None }, false),
            Message::Notification(_) => Ok(Started::Done(responses::accepted())),
            _ => Err(Refusal::new(StatusCode::BAD_REQUEST, "the body must be a single request or notification")),
        }
    }

    /// Serves the HTTP+SSE transport of 2024-11-05.
    async fn serve_legacy<B: http_body::Body>(
        &self,
        legacy: &Arc<LegacySse>,
        caller: &Caller,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        match caller.parts.method {
            Method::GET => legacy.open(caller),
            Method::POST => {
                let slot = self.backend.slots.request(&caller.client)?;
                header_check::check_content(&caller.parts.headers)?;
                let client = legacy.find(caller)?;
                let body = self.checks.read_body(caller, body).await?;
                let message = Message::parse(&body.bytes);
                let mut span = None;
                if let Message::Request(request) = &message {
                    let summary = request.summary();
                    let scopes = self.checks.scopes(&self.backend.server, caller, &summary);
                    scopes.map_err(|refusal| refusal.for_request(Some(request.id.clone())))?;
                    span = self.observers.start(request, &summary, &caller.parts.headers);
                }
                Ok(client.receive(caller, Posted { message, slot, span }))
            }
            _ => Err(Refusal::method("GET, POST")),
        }
    }
}

impl<B> Service<Request<B>> for Endpoint
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = self.0.clone();
        Box::pin(async move { Ok(shared.serve(request).await.unwrap_or_else(Refusal::into_response)) })
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.0.backend.server).finish()
    }
}
