//! HTTP+SSE, the HTTP transport of 2024-11-05: one stream of events, and a URL for messages.

use std::sync::Arc;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Response};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use url::Url;

use super::http::endpoint::{Endpoint, describe};
use super::http::events::{Decoder, Event};
use super::http::posts::Posts;
use super::http::receive;
use super::{Boxed, Failure, Link, Outgoing, Transport};
use crate::authorize::Authorize;
use crate::error::ConnectError;
use crate::inbox::Inbox;

/// The URL of an event stream.
pub(crate) struct Sse(Endpoint);

impl Sse {
    pub(crate) fn new(
        url: &str,
        headers: HeaderMap,
        authorize: Option<Arc<dyn Authorize>>,
        limit: usize,
    ) -> Result<Sse, ConnectError> {
        Endpoint::new(url, headers, authorize, limit).map(Sse)
    }
}

impl Transport for Sse {
    fn open(&self, inbox: Inbox) -> Boxed<'_, Result<Arc<dyn Link>, ConnectError>> {
        Box::pin(async move {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/event-stream"))]);
            let url = self.0.url.clone();
            let response = self.0.send(Method::GET, &url, headers, Vec::new(), &inbox).await?;
            let (found, address) = oneshot::channel();
            let reader = Reader { base: url, limit: self.0.limit, inbox: inbox.clone(), found: Some(found) };
            let reader = tokio::spawn(reader.read(response)).abort_handle();
            let guard = AbortOnDrop(reader);
            let ended = |_| ConnectError::Ended("the stream ended before the server sent the URL for messages".to_owned());
            let url = address.await.map_err(ended)?.map_err(ConnectError::Invalid)?;
            let link = SseLink { endpoint: self.0.clone(), url, inbox, posts: Posts::new(), reader: guard };
            Ok(Arc::new(link) as Arc<dyn Link>)
        })
    }

    fn is_current(&self) -> bool {
        false
    }
}

/// Aborts the reader task when the link is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Reads the events of the stream.
struct Reader {
    base: Url,
    limit: usize,
    inbox: Inbox,
    found: Option<oneshot::Sender<Result<Url, String>>>,
}

impl Reader {
    async fn read(mut self, mut response: Response) {
        let mut decoder = Decoder::new(self.limit);
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return self.inbox.lose("the event stream of the server ended"),
                Err(error) => return self.inbox.lose(&describe(&error)),
            };
            let mut chunk = &chunk[..];
            while let Some(event) = decoder.next(&mut chunk) {
                match event {
                    Event::Whole { kind, data } if kind == "endpoint" => self.learn(&data),
                    event => {
                        if !receive(&self.inbox, event, self.limit) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Sets the URL for messages. Later URLs are ignored.
    fn learn(&mut self, data: &[u8]) {
        let Some(found) = self.found.take() else { return };
        let text = String::from_utf8_lossy(data);
        let url = match self.base.join(text.trim()) {
            Ok(url) if url.origin() == self.base.origin() => Ok(url),
            Ok(_) => Err("the URL for messages has another origin than the event stream".to_owned()),
            Err(error) => Err(format!("the URL for messages is invalid: {error}")),
        };
        let _ = found.send(url);
    }
}

struct SseLink {
    endpoint: Endpoint,
    /// The URL for messages.
    url: Url,
    inbox: Inbox,
    posts: Posts,
    reader: AbortOnDrop,
}

impl Link for SseLink {
    fn exchange(&self, message: Outgoing) -> Boxed<'_, Result<(), Failure>> {
        Box::pin(async move {
            self.inbox.begin(message.id);
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
            // The answer comes on the stream, so the response is not read.
            let sent = self.endpoint.send(Method::POST, &self.url, headers, message.json, &self.inbox).await;
            sent.map(drop).map_err(|failure| match failure {
                Failure::Status { error: Some(error), .. } => Failure::Rpc(*error),
                failure => failure,
            })
        })
    }

    fn post(self: Arc<Self>, message: Outgoing) {
        self.posts.send(Arc::clone(&self) as Arc<dyn Link>, message);
    }

    fn close(&self) -> Boxed<'_, ()> {
        self.reader.0.abort();
        Box::pin(async {})
    }
}
