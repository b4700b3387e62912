//! Streamable HTTP: each message is a POST, whose response is JSON or a stream of events.

pub(crate) mod endpoint;
pub(crate) mod events;
mod headers;
mod listen;
pub(crate) mod posts;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use mcp_core::protocol::Revision;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use self::endpoint::{Endpoint, describe, read_body};
use self::events::{Decoder, Event};
use self::posts::Posts;
use super::{Boxed, Failure, Link, Outgoing, Transport};
use crate::authorize::Authorize;
use crate::error::ConnectError;
use crate::inbox::Inbox;

/// The time limit for closing a session.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long to read the rest of a response after its answer, so that the connection can be reused.
const DRAIN: Duration = Duration::from_secs(1);

/// How long to wait for the server to open the event stream for notifications.
const LISTEN_TIMEOUT: Duration = Duration::from_millis(500);

/// The maximum number of times that a stream is resumed in a row without a new event.
const MOST_RESUMES: u32 = 10;

/// The default delay before a stream is resumed, and the limits for the server's value. A server that asks for no delay could
/// keep the client busy.
const RETRY: Duration = Duration::from_secs(1);
const SHORTEST_RETRY: Duration = Duration::from_millis(50);
const LONGEST_RETRY: Duration = Duration::from_secs(60);

/// A streamable HTTP endpoint.
pub(crate) struct Http(Endpoint);

impl Http {
    pub(crate) fn new(
        url: &str,
        headers: HeaderMap,
        authorize: Option<Arc<dyn Authorize>>,
        limit: usize,
    ) -> Result<Http, ConnectError> {
        Endpoint::new(url, headers, authorize, limit).map(Http)
    }
}

impl Transport for Http {
    fn open(&self, inbox: Inbox) -> Boxed<'_, Result<Arc<dyn Link>, ConnectError>> {
        let link = HttpLink {
            endpoint: self.0.clone(),
            inbox,
            session: OnceLock::new(),
            revision: OnceLock::new(),
            posts: Posts::new(),
            listener: Mutex::default(),
        };
        Box::pin(async move { Ok(Arc::new(link) as Arc<dyn Link>) })
    }

    fn is_http(&self) -> bool {
        true
    }
}

/// A connection: a session, or the requests of a stateless client.
struct HttpLink {
    endpoint: Endpoint,
    inbox: Inbox,
    session: OnceLock<HeaderValue>,
    revision: OnceLock<Revision>,
    posts: Posts,
    /// The task that reads the event stream for notifications.
    listener: Mutex<Option<AbortHandle>>,
}

impl Link for HttpLink {
    fn exchange(&self, message: Outgoing) -> Boxed<'_, Result<(), Failure>> {
        Box::pin(async move {
            let (id, is_initialize) = (message.id, message.routing.method.as_deref() == Some("initialize"));
            let mut headers = headers::of_post(&message.routing, message.revision);
            self.add_session(&mut headers);
            self.inbox.begin(id);
            let url = &self.endpoint.url;
            let response = self.endpoint.send(Method::POST, url, headers, message.json, &self.inbox).await;
            let response = response.map_err(|failure| self.meaning(failure))?;
            if is_initialize && let Some(session) = response.headers().get(headers::SESSION_ID) {
                let _ = self.session.set(session.clone());
            }
            self.read(response, id).await
        })
    }

    fn post(self: Arc<Self>, message: Outgoing) {
        self.posts.send(Arc::clone(&self) as Arc<dyn Link>, message);
    }

    fn established(self: Arc<Self>, revision: Revision) -> Boxed<'static, ()> {
        let _ = self.revision.set(revision);
        Box::pin(async move {
            if revision.is_stateless() {
                return;
            }
            // The server may send requests during the first call, so the stream should be open before that call.
            let (opened, is_open) = oneshot::channel();
            let task = tokio::spawn(listen::listen(Arc::downgrade(&self), opened)).abort_handle();
            *self.listener() = Some(task);
            // The outcome is ignored, because the connection works without the stream: a server may have none, or send no headers
            // before the first event.
            let _ = timeout(LISTEN_TIMEOUT, is_open).await;
        })
    }

    fn drop_cancels(&self) -> bool {
        true
    }

    fn close(&self) -> Boxed<'_, ()> {
        Box::pin(async move {
            self.stop_listening();
            if self.session.get().is_some() {
                let mut headers = headers::of_revision(self.revision.get().copied());
                self.add_session(&mut headers);
                let deletion = self.endpoint.send(Method::DELETE, &self.endpoint.url, headers, Vec::new(), &self.inbox);
                // A failure is ignored, because a server need not support DELETE. It then ends the session after some time.
                let _ = timeout(CLOSE_TIMEOUT, deletion).await;
            }
        })
    }
}

impl Drop for HttpLink {
    fn drop(&mut self) {
        self.stop_listening();
    }
}

impl HttpLink {
    fn add_session(&self, headers: &mut HeaderMap) {
        headers.extend(self.session.get().map(|session| (headers::SESSION_ID, session.clone())));
    }

    /// Maps an error response to its meaning: status 404 in a session means that the server has forgotten the session.
    fn meaning(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Status { status: 404, .. } if self.session.get().is_some() => Failure::SessionGone,
            Failure::Status { error: Some(error), .. } => Failure::Rpc(*error),
            failure => failure,
        }
    }

    fn listener(&self) -> MutexGuard<'_, Option<AbortHandle>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop_listening(&self) {
        if let Some(task) = self.listener().take() {
            task.abort();
        }
    }

    /// Reads the response to a message.
    async fn read(&self, response: Response, id: Option<u64>) -> Result<(), Failure> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match kind.as_str() {
            // Also reads responses to notifications, which should be empty.
            _ if id.is_none() => drop(read_body(response, self.endpoint.limit).await?),
            "application/json" => {
                self.inbox.receive(&read_body(response, self.endpoint.limit).await?);
            }
            "text/event-stream" => return self.read_events(response, id).await,
            _ => {
                return Err(Failure::Invalid(format!(
                    "the response has the content type `{}`",
                    kind.chars().take(100).collect::<String>()
                )));
            }
        }
        if self.inbox.is_waiting(id) {
            return Err(Failure::Invalid("the response does not answer the request".to_owned()));
        }
        Ok(())
    }

    /// Reads the events of a response until the answer. Resumes the stream if it ends before the answer.
    async fn read_events(&self, mut response: Response, id: Option<u64>) -> Result<(), Failure> {
        let mut decoder = Decoder::new(self.endpoint.limit);
        let mut resumes = 0;
        loop {
            let end = match self.read_chunks(&mut response, &mut decoder, id).await {
                StreamEnd::Answered => {
                    // The rest is read in the background, so that the caller does not wait for it.
                    tokio::spawn(timeout(DRAIN, async move { while let Ok(Some(_)) = response.chunk().await {} }));
                    return Ok(());
                }
                StreamEnd::Ended { events, reason } => {
                    resumes = if events > 0 { 0 } else { resumes + 1 };
                    reason
                }
            };
            let lost = |reason| Err(Failure::Lost { begun: true, reason });
            let Some(last) = decoder.last_id().map(str::to_owned) else { return lost(end) };
            if self.revision.get().is_none_or(|revision| revision.is_stateless()) || resumes >= MOST_RESUMES {
                return lost(end);
            }
            sleep(retry_delay(&decoder)).await;
            response = self.resume(&last).await?;
            decoder = Decoder::after(&decoder, self.endpoint.limit);
        }
    }

    /// Opens a stream again after an event. Retries after network failures.
    async fn resume(&self, last: &str) -> Result<Response, Failure> {
        let mut failures = 0;
        loop {
            let mut headers = headers::of_get(self.revision.get().copied(), Some(last));
            self.add_session(&mut headers);
            match self.endpoint.send(Method::GET, &self.endpoint.url, headers, Vec::new(), &self.inbox).await {
                Ok(response) => return Ok(response),
                Err(Failure::Lost { .. }) if failures < MOST_RESUMES => failures += 1,
                Err(failure) => {
                    return Err(Failure::Lost { begun: true, reason: format!("the response cannot be resumed: {failure}") });
                }
            }
            sleep(RETRY.min(Duration::from_millis(50 << failures))).await;
        }
    }

    /// Passes the events of a response to the inbox.
    async fn read_chunks(&self, response: &mut Response, decoder: &mut Decoder, id: Option<u64>) -> StreamEnd {
        let mut events = 0;
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return StreamEnd::Ended { events, reason: "the response ended before the answer".to_owned() },
                Err(error) => return StreamEnd::Ended { events, reason: describe(&error) },
            };
            let mut chunk = &chunk[..];
            while let Some(event) = decoder.next(&mut chunk) {
                events += 1;
                if !receive(&self.inbox, event, self.endpoint.limit) || (id.is_some() && !self.inbox.is_waiting(id)) {
                    return StreamEnd::Answered;
                }
            }
        }
    }
}

/// How reading a stream of events ended.
enum StreamEnd {
    /// The request was answered, or its caller gave up.
    Answered,
    Ended {
        events: u64,
        reason: String,
    },
}

/// Passes an event to the inbox. Returns `false` if the connection is closed.
pub(super) fn receive(inbox: &Inbox, event: Event, limit: usize) -> bool {
    match event {
        Event::Whole { kind, data } if kind == "message" && !data.is_empty() => inbox.receive(&data),
        Event::TooLong { head, length } => inbox.oversized(&head, length, limit),
        // An empty event only has an id, to resume the stream after it.
        Event::Whole { .. } => !inbox.is_gone(),
    }
}

/// Returns the delay before a stream is resumed.
fn retry_delay(decoder: &Decoder) -> Duration {
    decoder.retry().map_or(RETRY, Duration::from_millis).clamp(SHORTEST_RETRY, LONGEST_RETRY)
}
