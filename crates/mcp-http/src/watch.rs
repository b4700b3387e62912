//! One request under watch.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use mcp_core::transport::{Later, Response};
use tokio::time::Instant;
use tracing::Span;

use crate::observer::{Observer, Operation, Outcome};

/// A request that somebody watches. Dropped before its end, it was given up.
pub(crate) struct Watch {
    observer: Option<Arc<dyn Observer>>,
    operation: Operation,
    span: Span,
    begun: Instant,
    ended: bool,
}

impl Watch {
    pub(crate) fn begin(observer: Option<Arc<dyn Observer>>, operation: Operation) -> Watch {
        let span = observer.as_ref().map_or_else(|| operation.span(), |observer| observer.begin(&operation));
        Watch { observer, operation, span, begun: Instant::now(), ended: false }
    }

    /// What happens in `work` happens inside of the request.
    pub(crate) fn during<T>(watch: Option<&Watch>, work: impl FnOnce() -> T) -> T {
        match watch {
            Some(watch) => watch.span.in_scope(work),
            None => work(),
        }
    }

    /// The request was answered.
    pub(crate) fn end(watch: Option<Watch>, answer: &Response) {
        let Some(mut watch) = watch else { return };
        let error = answer.error().map(|error| error.code);
        if let Some(code) = error {
            watch.span.record("rpc.response.status_code", code.0);
        }
        let failed = answer.is_tool_failure().then(|| "tool_error".to_owned());
        watch.tell(error.map(|code| code.to_string()).or(failed));
    }

    fn tell(&mut self, error: Option<String>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        if let Some(error) = &error {
            self.span.record("error.type", error).record("otel.status_code", "ERROR");
        }
        if let Some(observer) = &self.observer {
            observer.end(&self.operation, &Outcome { duration: self.begun.elapsed(), error });
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.tell(Some("cancelled".to_owned()));
    }
}

/// A call at work, and who watches it.
pub(crate) struct Watched {
    later: Later,
    watch: Option<Watch>,
}

impl Watched {
    pub(crate) fn new(later: Later, watch: Option<Watch>) -> Watched {
        Watched { later, watch }
    }
}

impl Future for Watched {
    type Output = Option<Response>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Response>> {
        let Watched { later, watch } = self.get_mut();
        let outcome = Watch::during(watch.as_ref(), || Pin::new(later).poll(task));
        if let Poll::Ready(answer) = &outcome {
            let watch = watch.take();
            if let Some(answer) = answer {
                Watch::end(watch, answer);
            }
        }
        outcome
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.later.fmt(f)
    }
}
