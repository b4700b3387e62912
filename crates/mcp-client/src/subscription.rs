//! Subscriptions to changes of resources and lists.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use mcp_core::protocol::Revision;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::client::{Client, params};
use crate::connection::{Connection, Request};
use crate::error::CallError;
use crate::event::Change;
use crate::event_stream::Events;
use crate::reconnect::Inner;
use crate::request::{Deadline, into_error};

/// The delay before the client opens a stream again that the server has ended.
const RESUBSCRIBE_DELAY: Duration = Duration::from_secs(1);

/// A subscription: a stream of events. Dropping it ends the subscription.
///
/// When a connection is lost and restored, the subscription is renewed. Changes in between are not reported, and one change may
/// be reported more than once. On each event, read the resource again.
pub struct Subscription<T> {
    events: Events<T>,
    wanted: Box<dyn Fn(&T) -> bool + Send + Sync>,
    task: AbortHandle,
}

impl Client {
    /// Subscribes to a resource. The stream has the URIs that changed: the URI of the resource or of a part of it.
    ///
    /// # Errors
    /// If the server refuses the subscription or does not answer in time. [`CallError::Unsupported`] if it does not support subscriptions.
    pub async fn subscribe(&self, uri: &str) -> Result<Subscription<String>, CallError> {
        let events = self.shared().updates.subscribe();
        let task = self.start_subscription(Target::Resource(uri.to_owned())).await?;
        let uri = uri.to_owned();
        Ok(Subscription { events, wanted: Box::new(move |updated: &String| is_part_of(updated, &uri)), task })
    }

    /// Subscribes to changes of the server's lists. The stream has the lists that changed.
    ///
    /// Unlike [`changes`](Client::changes), it also requests the notifications of a server of 2026-07-28.
    ///
    /// # Errors
    /// If the server refuses the subscription or does not answer in time.
    pub async fn listen(&self) -> Result<Subscription<Change>, CallError> {
        let events = self.shared().changes.subscribe();
        let task = self.start_subscription(Target::Lists).await?;
        Ok(Subscription { events, wanted: Box::new(|_| true), task })
    }

    /// Starts a task that subscribes, and subscribes again on later connections until it is aborted.
    async fn start_subscription(&self, target: Target) -> Result<AbortHandle, CallError> {
        let (ready, accepted) = oneshot::channel();
        let subscription = SubscriptionTask { inner: Arc::downgrade(self.inner()), target, ready: Some(ready) };
        let task = self.shared().runtime.spawn(subscription.run()).abort_handle();
        let guard = AbortOnDrop(Some(task));
        accepted.await.map_err(|_| CallError::Closed)??;
        guard.disarm().ok_or(CallError::Closed)
    }
}

/// Returns whether a URI names a resource or a part of it: `board://1/notes` is a part of `board://1`, `board://10` is not.
fn is_part_of(updated: &str, resource: &str) -> bool {
    const SEPARATORS: [char; 3] = ['/', '?', '#'];
    updated
        .strip_prefix(resource)
        .is_some_and(|rest| rest.is_empty() || resource.ends_with(SEPARATORS) || rest.starts_with(SEPARATORS))
}

/// Aborts the task if the caller gives up before the server accepts the subscription.
struct AbortOnDrop(Option<AbortHandle>);

impl AbortOnDrop {
    fn disarm(mut self) -> Option<AbortHandle> {
        self.0.take()
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

/// The target of a subscription.
enum Target {
    Resource(String),
    Lists,
}

impl Target {
    /// Returns the filter of `subscriptions/listen`.
    fn filter(&self) -> Value {
        match self {
            Target::Resource(uri) => json!({"resourceSubscriptions": [uri]}),
            Target::Lists => json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true}),
        }
    }

    /// Returns whether the acknowledged filter contains the target.
    fn is_honoured(&self, honoured: &Value) -> bool {
        match self {
            Target::Resource(uri) => {
                honoured["resourceSubscriptions"].as_array().is_some_and(|uris| uris.iter().any(|each| each == uri))
            }
            Target::Lists => true,
        }
    }
}

struct SubscriptionTask {
    inner: Weak<Inner>,
    target: Target,
    ready: Option<oneshot::Sender<Result<(), CallError>>>,
}

impl SubscriptionTask {
    async fn run(mut self) {
        loop {
            let Some(inner) = self.inner.upgrade() else { return };
            let connection = inner.connection().await;
            drop(inner);
            let ended = match connection {
                Ok(connection) if connection.revision().is_some_and(Revision::is_stateless) => {
                    self.listen(&connection).await
                }
                Ok(connection) => self.subscribe(connection).await,
                Err(error) => Err(error),
            };
            match (ended, self.ready.take()) {
                (Err(error), Some(ready)) => {
                    // The caller gets the error, and the task ends.
                    let _ = ready.send(Err(error));
                    return;
                }
                (Err(CallError::Closed), None) => return,
                (Err(CallError::Rpc(error)), None) => {
                    tracing::warn!(%error, "the server no longer accepts a subscription");
                    return;
                }
                _ => sleep(RESUBSCRIBE_DELAY).await,
            }
        }
    }

    /// Subscribes in a revision with a handshake. Returns when the connection is lost.
    async fn subscribe(&mut self, connection: Arc<Connection>) -> Result<(), CallError> {
        let mut unsubscribe = None;
        if let Target::Resource(uri) = &self.target {
            let offer = connection.info().and_then(|info| info.capabilities.resources.clone()).unwrap_or_default();
            if !offer.subscribe {
                return Err(CallError::Unsupported("the server does not support subscriptions to resources".to_owned()));
            }
            let request = Request::new("resources/subscribe", params(json!({"uri": uri}))).named(uri);
            tokio::select! {
                answer = connection.ask::<Value>(&request) => drop(answer?),
                error = timeout(&connection) => return Err(error),
            }
            unsubscribe = Some(Unsubscribe { connection: Arc::downgrade(&connection), uri: uri.clone() });
        }
        self.accept();
        connection.until_lost().await;
        drop(unsubscribe);
        Ok(())
    }

    /// Listens in a stateless revision. Returns when the stream ends.
    async fn listen(&mut self, connection: &Arc<Connection>) -> Result<(), CallError> {
        let (acknowledge, acknowledged) = oneshot::channel();
        let acknowledge = std::sync::Mutex::new(Some(acknowledge));
        let mut request = Request::new("subscriptions/listen", params(json!({"notifications": self.target.filter()})));
        request.acknowledged = Some(Arc::new(move |honoured: Value| {
            let sender = acknowledge.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
            if let Some(sender) = sender {
                let _ = sender.send(honoured);
            }
        }));
        let streaming = connection.request(&request, connection.revision());
        let mut streaming = std::pin::pin!(streaming);
        tokio::select! {
            biased;
            Ok(honoured) = acknowledged => {
                if !self.target.is_honoured(&honoured) {
                    return Err(CallError::Unsupported("the server does not support a subscription to this resource".to_owned()));
                }
                self.accept();
            }
            ended = &mut streaming => {
                ended.map_err(|failure| into_error("subscriptions/listen", failure))?;
                let reason = "the subscription ended before it was acknowledged".to_owned();
                return Err(crate::request::invalid("subscriptions/listen", reason));
            }
            error = timeout(connection) => return Err(error),
        }
        streaming.await.map(drop).map_err(|failure| into_error("subscriptions/listen", failure))
    }

    fn accept(&mut self) {
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Ok(()));
        }
    }
}

/// Returns an error when the server has not accepted a subscription in time.
async fn timeout(connection: &Connection) -> CallError {
    let deadline = Deadline { after: connection.shared.options.timeout, ..Deadline::default() };
    CallError::Timeout(deadline.passes().await)
}

/// Ends a subscription of a revision with a handshake.
struct Unsubscribe {
    connection: Weak<Connection>,
    uri: String,
}

impl Drop for Unsubscribe {
    fn drop(&mut self) {
        let Some(connection) = self.connection.upgrade().filter(|connection| !connection.is_lost()) else { return };
        let request = Request::new("resources/unsubscribe", params(json!({"uri": self.uri}))).named(&self.uri);
        let runtime = connection.shared.runtime.clone();
        runtime.spawn(async move {
            if let Err(failure) = connection.request(&request, connection.revision()).await {
                tracing::debug!(reason = %failure, "the server did not end a subscription");
            }
        });
    }
}

impl<T> Subscription<T> {
    /// Waits for the next event. Returns `None` when the client is closed.
    ///
    /// Cancel safe: an event is never lost by dropping the future.
    pub async fn next(&mut self) -> Option<T> {
        std::future::poll_fn(|task| self.poll(task)).await
    }

    fn poll(&self, task: &mut Context<'_>) -> Poll<Option<T>> {
        loop {
            match self.events.poll(task) {
                Poll::Ready(Some(event)) if !(self.wanted)(&event) => {}
                poll => return poll,
            }
        }
    }
}

impl<T> Stream for Subscription<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<T>> {
        self.poll(task)
    }
}

impl<T> Drop for Subscription<T> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl<T> fmt::Debug for Subscription<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription").field("events", &self.events).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::is_part_of;

    #[test]
    fn a_part_of_a_resource_follows_a_separator() {
        for (updated, resource, expected) in [
            ("board://1", "board://1", true),
            ("board://1/notes", "board://1", true),
            ("board://1?page=2", "board://1", true),
            ("board://1#top", "board://1", true),
            ("board://1", "board://", true),
            ("file:///a?x=1", "file:///a?", true),
            ("board://10", "board://1", false),
            ("board://", "board://1", false),
            ("note://1", "board://1", false),
        ] {
            assert_eq!(is_part_of(updated, resource), expected, "{updated} of {resource}");
        }
    }
}
