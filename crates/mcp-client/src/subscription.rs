//! Subscriptions: changes of resources and lists that a server tells only when it is asked to.

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
use crate::feed::Events;
use crate::inner::Inner;
use crate::request::into_error;

/// How long the client waits before it opens a stream again that the server has ended.
const PAUSE: Duration = Duration::from_secs(1);

/// A subscription: a stream of events. Dropping it ends the subscription.
///
/// When a connection is lost and restored, the subscription is made again. Changes meanwhile are not seen, and one change may be
/// seen more than once, so an event means: read again.
pub struct Subscription<T> {
    events: Events<T>,
    wanted: Box<dyn Fn(&T) -> bool + Send + Sync>,
    task: AbortHandle,
}

impl Client {
    /// Watches a resource: a stream of the URIs that have changed, which are the URI itself or parts of it.
    ///
    /// # Errors
    /// If the server refuses the subscription. [`CallError::Unsupported`] if it has none.
    pub async fn subscribe(&self, uri: &str) -> Result<Subscription<String>, CallError> {
        let events = self.shared().updates.subscribe();
        let task = self.keep(Wanted::Resource(uri.to_owned())).await?;
        let uri = uri.to_owned();
        Ok(Subscription { events, wanted: Box::new(move |updated: &String| updated.starts_with(&uri)), task })
    }

    /// Watches the lists of the server: a stream of the lists that have changed.
    ///
    /// Unlike [`changes`](Client::changes), it also asks a server of 2026-07-28 to tell them.
    ///
    /// # Errors
    /// If the server refuses the subscription.
    pub async fn listen(&self) -> Result<Subscription<Change>, CallError> {
        let events = self.shared().changes.subscribe();
        let task = self.keep(Wanted::Lists).await?;
        Ok(Subscription { events, wanted: Box::new(|_| true), task })
    }

    /// Makes a subscription, and makes it again on later connections until the task is aborted.
    async fn keep(&self, wanted: Wanted) -> Result<AbortHandle, CallError> {
        let (ready, accepted) = oneshot::channel();
        let keeper = Keeper { inner: Arc::downgrade(self.inner()), wanted, ready: Some(ready) };
        let task = self.shared().runtime.spawn(keeper.run()).abort_handle();
        let guard = Aborting(Some(task));
        accepted.await.map_err(|_| CallError::Closed)??;
        guard.disarm().ok_or(CallError::Closed)
    }
}

/// Aborts a task when the caller gives up before the subscription is made.
struct Aborting(Option<AbortHandle>);

impl Aborting {
    fn disarm(mut self) -> Option<AbortHandle> {
        self.0.take()
    }
}

impl Drop for Aborting {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

/// What a subscription is for.
enum Wanted {
    Resource(String),
    Lists,
}

impl Wanted {
    /// The filter of `subscriptions/listen`.
    fn filter(&self) -> Value {
        match self {
            Wanted::Resource(uri) => json!({"resourceSubscriptions": [uri]}),
            Wanted::Lists => json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true}),
        }
    }

    /// Returns whether the server has agreed to it.
    fn is_honoured(&self, honoured: &Value) -> bool {
        match self {
            Wanted::Resource(uri) => {
                honoured["resourceSubscriptions"].as_array().is_some_and(|uris| uris.iter().any(|each| each == uri))
            }
            Wanted::Lists => true,
        }
    }
}

struct Keeper {
    inner: Weak<Inner>,
    wanted: Wanted,
    ready: Option<oneshot::Sender<Result<(), CallError>>>,
}

impl Keeper {
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
                    // The caller is told, and makes no subscription.
                    let _ = ready.send(Err(error));
                    return;
                }
                (Err(CallError::Closed), None) => return,
                (Err(CallError::Rpc(error)), None) => {
                    tracing::warn!(%error, "the server no longer accepts a subscription");
                    return;
                }
                _ => sleep(PAUSE).await,
            }
        }
    }

    /// Subscribes in a revision with a handshake. Returns when the connection is lost.
    async fn subscribe(&mut self, connection: Arc<Connection>) -> Result<(), CallError> {
        let mut unsubscribe = None;
        if let Wanted::Resource(uri) = &self.wanted {
            let offer = connection.info().and_then(|info| info.capabilities.resources.clone()).unwrap_or_default();
            if !offer.subscribe {
                return Err(CallError::Unsupported("the server does not tell when resources change".to_owned()));
            }
            let request = Request::new("resources/subscribe", params(json!({"uri": uri}))).named(uri);
            connection.ask::<Value>(&request).await?;
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
        let mut request = Request::new("subscriptions/listen", params(json!({"notifications": self.wanted.filter()})));
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
                if !self.wanted.is_honoured(&honoured) {
                    return Err(CallError::Unsupported("the server does not tell when this resource changes".to_owned()));
                }
                self.accept();
            }
            ended = &mut streaming => {
                ended.map_err(|failure| into_error("subscriptions/listen", failure))?;
                return Err(crate::request::invalid("subscriptions/listen", "it ended before it was acknowledged".to_owned()));
            }
        }
        streaming.await.map(drop).map_err(|failure| into_error("subscriptions/listen", failure))
    }

    fn accept(&mut self) {
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Ok(()));
        }
    }
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
