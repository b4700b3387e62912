//! Calls that were left to the runtime go on only while their client reads.

use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::task::Poll;

use mcp_core::transport::{Later, Response};

/// Brings a call to its end, and lets it work only while there is room for what it may answer.
///
/// Thousands of calls may be at work when a client stops reading. Would they all go on to their results, these would wait in
/// memory without any bound; so each of them stops where it is until the client reads again, or the call is dropped.
pub(crate) async fn with_backpressure<F: Future<Output = ()>>(mut later: Later, room: impl Fn() -> F) -> Option<Response> {
    loop {
        room().await;
        let mut polled = false;
        let step = poll_fn(|task| {
            if mem::replace(&mut polled, true) {
                // The call has something to do again: look for room first.
                return Poll::Ready(None);
            }
            Pin::new(&mut later).poll(task).map(Some)
        });
        if let Some(response) = step.await {
            return response;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use mcp_core::protocol::Revision;
    use mcp_core::transport::{BoxFuture, Host, Job, Message, Reply};
    use mcp_core::{Context, Server, ToolSpec, tool_fn};
    use serde_json::Value;
    use tokio::sync::Notify;

    use super::*;

    struct NoHost;

    impl Host for NoHost {
        fn now(&self) -> std::time::Instant {
            std::time::Instant::now()
        }

        fn sleep(&self, _: std::time::Duration) -> BoxFuture<()> {
            Box::pin(std::future::pending())
        }

        fn run_blocking(&self, job: Job) {
            job();
        }

        fn spawn(&self, _: BoxFuture<()>) {}
    }

    #[test]
    fn a_call_stands_still_while_there_is_no_room() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let steps = Arc::new(AtomicUsize::new(0));
            let counted = steps.clone();
            let count = tool_fn(ToolSpec::new("count", "Count."), move |_: Value, _: Context| {
                let steps = counted.clone();
                async move {
                    for _ in 0..10 {
                        steps.fetch_add(1, Ordering::SeqCst);
                        tokio::task::yield_now().await;
                    }
                }
            });
            let server = Server::builder("with_backpressure", "1.0.0").tools(count).build().unwrap();
            let session = server.session(Arc::new(NoHost), Arc::new(())).negotiated(Revision::V2025_11_25);
            let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count"}}"#;
            let Reply::Later(later) = session.receive(Message::parse(line)) else { panic!("a call") };

            let (full_after, freed) = (3, Notify::new());
            let room = || async {
                if steps.load(Ordering::SeqCst) == full_after {
                    freed.notified().await;
                }
            };
            let mut call = std::pin::pin!(with_backpressure(later, room));
            for _ in 0..50 {
                let pending = std::future::poll_fn(|task| Poll::Ready(call.as_mut().poll(task).is_pending())).await;
                assert!(pending);
                tokio::task::yield_now().await;
            }
            assert_eq!(steps.load(Ordering::SeqCst), full_after);
            freed.notify_one();
            assert!(call.await.is_some());
            assert_eq!(steps.load(Ordering::SeqCst), 10);
        });
    }
}
