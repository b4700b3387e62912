//! A running call.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use mcp_core::ToolResult;

use crate::call::Progress;
use crate::error::CallError;
use crate::event_stream::Events;
use crate::transport::Boxed;

/// A running call: a stream of its progress, and a future of its result.
///
/// ```no_run
/// # async fn example(client: mcp_client::Client) -> Result<(), mcp_client::CallError> {
/// let mut call = client.call("build", ()).start();
/// while let Some(progress) = call.progress().await {
///     println!("{} of {:?}", progress.progress, progress.total);
/// }
/// let result = call.await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "a call that is dropped is cancelled"]
pub struct Ongoing {
    future: Option<Boxed<'static, Result<ToolResult, CallError>>>,
    result: Option<Result<ToolResult, CallError>>,
    events: Events<Progress>,
}

impl Ongoing {
    pub(crate) fn new(future: Boxed<'static, Result<ToolResult, CallError>>, events: Events<Progress>) -> Ongoing {
        Ongoing { future: Some(future), result: None, events }
    }

    /// Waits for the next progress message. Returns `None` when the call has its result.
    ///
    /// The last 256 messages are kept for a slow reader.
    pub async fn progress(&mut self) -> Option<Progress> {
        std::future::poll_fn(|task| self.poll_progress(task)).await
    }

    fn poll_progress(&mut self, task: &mut Context<'_>) -> Poll<Option<Progress>> {
        self.poll_call(task);
        match self.events.poll(task) {
            // There are no events after the result.
            Poll::Pending if self.result.is_some() => Poll::Ready(None),
            poll => poll,
        }
    }

    fn poll_call(&mut self, task: &mut Context<'_>) {
        if let Some(future) = &mut self.future
            && let Poll::Ready(result) = future.as_mut().poll(task)
        {
            (self.future, self.result) = (None, Some(result));
        }
    }
}

impl Stream for Ongoing {
    type Item = Progress;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Progress>> {
        self.poll_progress(task)
    }
}

impl Future for Ongoing {
    type Output = Result<ToolResult, CallError>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_call(task);
        match self.result.take() {
            Some(result) => Poll::Ready(result),
            None => Poll::Pending,
        }
    }
}

impl fmt::Debug for Ongoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ongoing").field("is_done", &self.result.is_some()).finish_non_exhaustive()
    }
}
