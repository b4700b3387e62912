//! The endpoint: HTTP requests in, HTTP responses out.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{HeaderMap, Method, Request, Response, StatusCode};
use mcp_core::transport::{BoxFuture, Host, Message};
use mcp_core::{Cancellation, Server};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service;

use crate::admission::Caller;
use crate::body::Body;
use crate::gate::Gate;
use crate::handshake::Waiting;
use crate::host::TaskHost;
use crate::intake::{Intake, Taken};
use crate::observer::Watchers;
use crate::options::Http;
use crate::protection::Protection;
use crate::refusal::{Refusal, accepted};
use crate::sessions::{SESSION_ID, Sessions};
use crate::shelf::Shelf;
use crate::sse::Sse;
use crate::stateless::Call;
use crate::watch::{Watch, Watched};
use crate::{media, mirror};

/// The methods of HTTP that are served.
const METHODS: &str = "GET, POST, DELETE";

/// A server as a [`tower_service::Service`], which mounts into axum, or into anything else that is built on hyper.
///
/// It looks at no path but that of [metadata](Protection::metadata_path): where it is mounted, all of its requests are meant
/// for it. Cloning is cheap, and all clones share their limits. An application that authenticates its clients itself puts a
/// [`Principal`](mcp_core::Principal) into the extensions of the request.
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

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) host: Arc<dyn Host>,
    pub(crate) closing: Cancellation,
    pub(crate) streams: Arc<Semaphore>,
    gate: Gate,
    pub(crate) watchers: Watchers,
    pub(crate) protection: Option<Protection>,
    intake: Intake,
    /// None where every request stands alone.
    pub(crate) sessions: Option<Sessions>,
    /// None where sessions are this instance's own.
    pub(crate) shelf: Option<Shelf>,
    /// None unless clients of the transport before this one are served too.
    pub(crate) sse: Option<Sse>,
    requests: Arc<Semaphore>,
}

impl Endpoint {
    pub(crate) fn new(server: Server, options: &Http) -> Endpoint {
        let semaphore = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        let host: Arc<dyn Host> = Arc::new(TaskHost::new());
        let shelf = options.session_store.clone().map(|store| {
            let (server, host, idle) = (server.clone(), host.clone(), options.session_idle);
            Shelf { store, server, host, idle }
        });
        Endpoint(Arc::new(Shared {
            server,
            host,
            shelf,
            closing: Cancellation::new(),
            streams: semaphore(options.max_streams),
            gate: options.gate.clone(),
            watchers: options.watchers.clone(),
            protection: options.protection.clone(),
            intake: Intake::new(options.max_body, options.body_timeout),
            sessions: (options.max_sessions > 0).then(|| Sessions::new(options.max_sessions, options.session_idle)),
            sse: options.sse.clone().map(Sse::new),
            requests: semaphore(options.max_requests),
        }))
    }

    /// Ends the streams that have no end of their own, so that a graceful shutdown of the server around this comes to one.
    ///
    /// Calls go on until they are answered.
    pub fn close(&self) {
        self.0.closing.cancel();
    }
}

impl Shared {
    /// Is ready when streams that have no end of their own must end.
    pub(crate) fn closed(&self) -> BoxFuture<()> {
        let closing = self.closing.clone();
        Box::pin(async move { closing.cancelled().await })
    }

    async fn serve<B: http_body::Body>(self: Arc<Shared>, request: Request<B>) -> Result<Response<Body>, Refusal> {
        let (parts, body) = request.into_parts();
        self.gate.check(&parts)?;
        let is_metadata = |protection: &&Protection| protection.is_metadata(parts.uri.path());
        if let Some(protection) = self.protection.as_ref().filter(is_metadata) {
            return self.tell_metadata(protection, &parts);
        }
        let principal = self.admit(&parts).await?;
        let caller = Caller { parts, principal };
        if self.sse.as_ref().is_some_and(|sse| sse.is_at(caller.parts.uri.path())) {
            return Box::pin(self.serve_sse(&caller, body)).await;
        }
        // What is rare is in boxes: most requests are calls, and their future is moved and kept as large as the largest.
        match caller.parts.method {
            Method::POST => self.post(&caller, body).await,
            Method::GET => Box::pin(self.listen(&caller)).await,
            Method::DELETE => Box::pin(self.end(&caller)).await,
            _ => Err(Refusal::method(METHODS)),
        }
    }

    async fn post<B: http_body::Body>(self: &Arc<Shared>, caller: &Caller, body: B) -> Result<Response<Body>, Refusal> {
        let permit = self.permit()?;
        let headers = &caller.parts.headers;
        media::check_content_type(headers)?;
        media::check_accept_answers(headers)?;
        let taken = self.read(headers, body).await?;
        self.fetch_session(caller).await?;
        let begun = self.begin(caller, &taken.bytes, permit);
        // The session has taken what it needs: nobody else has to wait for this memory.
        drop(taken);
        match begun? {
            Begun::Answered(response) => self.keep_session(caller, response).await,
            Begun::Called(call, later) => Ok(call.respond(later).await),
            Begun::Waiting(waiting) => Ok(Box::pin(waiting.respond()).await),
        }
    }

    /// All that depends on the bytes of the message.
    fn begin(self: &Arc<Shared>, caller: &Caller, bytes: &[u8], permit: OwnedSemaphorePermit) -> Result<Begun, Refusal> {
        let headers = &caller.parts.headers;
        let stateless = mirror::is_stateless(headers);
        match Message::parse(bytes) {
            Message::Request(request) => {
                let outline = request.summary();
                let (opens, long_lived) = (outline.is_handshake, outline.is_stream);
                self.check_scopes(caller, &outline).map_err(|refusal| refusal.to(Some(request.id.clone())))?;
                let watch = self.watchers.begin(&request, &outline, headers);
                if !stateless && outline.revision.is_none() {
                    let entry = Entry { message: Message::Request(request), permit, watch };
                    return self.by_handshake(caller, entry, opens);
                }
                mirror::check(headers, &request, &outline, &self.server)
                    .map_err(|error| Refusal::rule(request.id.clone(), error))?;
                Call::begin(self, caller, Entry { message: Message::Request(request), permit, watch }, long_lived)
            }
            Message::Malformed(malformed) if stateless || !headers.contains_key(SESSION_ID) => {
                Err(Refusal::with(StatusCode::BAD_REQUEST, malformed.error).to(malformed.id))
            }
            message if !stateless => self.by_handshake(caller, Entry { message, permit, watch: None }, false),
            Message::Notification(_) => Ok(Begun::Answered(accepted())),
            _ => Err(Refusal::new(StatusCode::BAD_REQUEST, "a message is one request or one notification")),
        }
    }

    /// One more request is worked on as long as this is held.
    pub(crate) fn permit(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.requests.clone().try_acquire_owned().map_err(|_| Refusal::busy("too many requests at once"))
    }

    /// Reads the body of a request.
    pub(crate) async fn read<B: http_body::Body>(&self, headers: &HeaderMap, body: B) -> Result<Taken, Refusal> {
        self.intake.read(headers, body).await
    }
}

/// A message on its way in.
pub(crate) struct Entry<'a> {
    pub(crate) message: Message<'a>,
    pub(crate) permit: OwnedSemaphorePermit,
    pub(crate) watch: Option<Watch>,
}

/// A request that was begun.
#[expect(clippy::large_enum_variant, reason = "it is taken apart where it is made, and nothing is kept of it")]
pub(crate) enum Begun {
    Answered(Response<Body>),
    Called(Call, Watched),
    Waiting(Waiting),
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
        f.debug_tuple("Endpoint").field(&self.0.server).finish()
    }
}
