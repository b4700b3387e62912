//! A call that was begun, and can be cancelled.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use mcp_core::ToolResult;
use mcp_core::transport::{Reply, RpcError};

use crate::client::Client;

/// A call that was begun: await it for the tool's result, or for `None` when it was cancelled.
#[derive(Debug)]
pub struct Ongoing<'a> {
    pub(crate) client: &'a Client,
    pub(crate) id: i64,
    pub(crate) reply: Reply,
}

impl Ongoing<'_> {
    /// The id of the request, for [`Client::cancel`].
    pub fn id(&self) -> i64 {
        self.id
    }

    /// No longer wants the answer.
    pub fn cancel(&self) {
        self.client.cancel(self.id);
    }
}

impl Future for Ongoing<'_> {
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
            Ok(serde_json::from_str(&result.to_string()).unwrap_or_else(|error| panic!("no tool result: {error}\n{result}")))
        }))
    }
}
