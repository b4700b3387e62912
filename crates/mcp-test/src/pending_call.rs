//! A tool call that has been sent and can be cancelled.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use mcp_core::ToolResult;
use mcp_core::transport::{Reply, RpcError};

use crate::client::Client;

/// A tool call that has been sent. Await it for the result of the tool, or `None` if the call was cancelled.
#[derive(Debug)]
pub struct PendingCall<'a> {
    pub(crate) client: &'a Client,
    pub(crate) id: i64,
    pub(crate) reply: Reply,
}

impl PendingCall<'_> {
    /// Returns the id of the request, for [`Client::cancel`].
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Sends a cancellation of this call.
    pub fn cancel(&self) {
        self.client.cancel(self.id);
    }
}

impl Future for PendingCall<'_> {
    type Output = Option<Result<ToolResult, RpcError>>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let response = match &mut this.reply {
            Reply::None => return Poll::Ready(None),
            Reply::Now(response) => Some(this.client.outcome("tools/call", response)),
            Reply::Later(later) => match Pin::new(later).poll(task) {
                Poll::Pending => {
                    this.client.host.work(task);
                    return Poll::Pending;
                }
                Poll::Ready(response) => response.as_ref().map(|response| this.client.outcome("tools/call", response)),
            },
        };
        Poll::Ready(response.map(|outcome| {
            let result = outcome?;
            Ok(serde_json::from_str(&result.to_string())
                .unwrap_or_else(|error| panic!("invalid tool result: {error}\n{result}")))
        }))
    }
}
