//! Observability: a span and a callback for each request, with the names of the OpenTelemetry conventions.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::HeaderMap;
use mcp_core::transport::{Later, Request, RequestSummary, Response};
use tokio::time::Instant;
use tracing::Span;
use tracing::field::Empty;

use crate::checks::header_check::{SESSION_ID, VERSION};

/// The target of the spans, by which they can be filtered.
const TARGET: &str = "mcp_http";

/// Observes the start and the end of every request, for example to export metrics, or spans that continue a client's trace.
///
/// Without an observer, each request still runs in a [`tracing`] span of level `info`, which also contains the events that
/// its tool logs.
///
/// ```
/// use mcp_http::{Http, Observer, Operation, Outcome};
///
/// struct Slow;
///
/// impl Observer for Slow {
///     fn end(&self, operation: &Operation, outcome: &Outcome) {
///         if outcome.duration.as_secs() > 5 {
///             tracing::warn!(method = operation.method, subject = operation.subject, "slow request");
///         }
///     }
/// }
///
/// let http = Http::new().observe(Slow);
/// # let _ = http;
/// ```
pub trait Observer: Send + Sync + 'static {
    /// Called when a request starts. Returns the span that the request runs in.
    fn begin(&self, operation: &Operation) -> Span {
        operation.span()
    }

    /// Called when a request ends. [`Outcome::duration`] is OpenTelemetry's metric `mcp.server.operation.duration`.
    fn end(&self, operation: &Operation, outcome: &Outcome) {
        let _ = (operation, outcome);
    }
}

/// A request, as an [`Observer`] sees it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Operation {
    /// The method, such as `tools/call`; `other` if it is not a method of MCP.
    pub method: String,
    /// The name of the tool or prompt, or the URI of the resource.
    pub subject: Option<String>,
    /// The id of the request, as JSON.
    pub id: String,
    /// The protocol revision that the client sent.
    pub revision: Option<String>,
    /// The session id, if there is a session.
    pub session: Option<String>,
    /// The header `traceparent`: the span of the client (W3C trace context).
    pub traceparent: Option<String>,
    /// The header `tracestate`: additions of vendors to the trace context.
    pub tracestate: Option<String>,
}

/// How a request ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Time from the start of the request to its response.
    pub duration: Duration,
    /// The kind of error, if the request failed: a JSON-RPC code, `tool_error`, or `cancelled` if it was dropped before its
    /// response.
    pub error: Option<String>,
}

impl Operation {
    fn new(request: &Request<'_>, summary: &RequestSummary<'_>, headers: &HeaderMap) -> Operation {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Operation {
            // Invented methods must not create unlimited time series in metrics.
            method: if summary.is_known { request.method.to_string() } else { "other".to_owned() },
            subject: summary.subject.as_deref().map(str::to_owned),
            id: request.id.as_json().into_owned(),
            revision: summary.revision.as_deref().map(str::to_owned).or_else(|| header(VERSION.as_str())),
            session: header(SESSION_ID),
            traceparent: header("traceparent"),
            tracestate: header("tracestate"),
        }
    }

    /// Creates the default span of a request. It describes the HTTP request. Inside of it, mcp-core creates a span for the
    /// MCP call.
    pub fn span(&self) -> Span {
        tracing::info_span!(
            target: TARGET,
            "http.request",
            otel.name = "POST",
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = "POST",
            mcp.method.name = self.method,
            mcp.protocol.version = self.revision,
            mcp.session.id = self.session,
            jsonrpc.request.id = self.id,
            network.protocol.name = "http",
            network.transport = "tcp",
            rpc.response.status_code = Empty,
            error.r#type = Empty,
            traceparent = self.traceparent,
            tracestate = self.tracestate,
        )
    }
}

/// The observer, if there is one.
#[derive(Clone, Default)]
pub(crate) struct Observers(pub(crate) Option<Arc<dyn Observer>>);

impl Observers {
    /// Starts to observe a request. Returns `None` if there is no observer and the span is disabled.
    pub(crate) fn start(
        &self,
        request: &Request<'_>,
        summary: &RequestSummary<'_>,
        headers: &HeaderMap,
    ) -> Option<RequestSpan> {
        if self.0.is_none() && !tracing::span_enabled!(target: TARGET, tracing::Level::INFO) {
            return None;
        }
        Some(RequestSpan::start(self.0.clone(), Operation::new(request, summary, headers)))
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Observers(1)" } else { "Observers(0)" })
    }
}

/// A request that is observed. Dropping it before [`finish`](RequestSpan::finish) reports the request as cancelled.
pub(crate) struct RequestSpan {
    observer: Option<Arc<dyn Observer>>,
    operation: Operation,
    span: Span,
    started: Instant,
    reported: bool,
}

impl RequestSpan {
    fn start(observer: Option<Arc<dyn Observer>>, operation: Operation) -> RequestSpan {
        let span = observer.as_ref().map_or_else(|| operation.span(), |observer| observer.begin(&operation));
        RequestSpan { observer, operation, span, started: Instant::now(), reported: false }
    }

    /// Runs `work` inside of the span, if there is one.
    pub(crate) fn in_scope<T>(span: Option<&RequestSpan>, work: impl FnOnce() -> T) -> T {
        match span {
            Some(request) => request.span.in_scope(work),
            None => work(),
        }
    }

    /// Reports the response of the request.
    pub(crate) fn finish(span: Option<RequestSpan>, answer: &Response) {
        let Some(mut request) = span else { return };
        let error = answer.error().map(|error| error.code);
        if let Some(code) = error {
            request.span.record("rpc.response.status_code", code.0);
        }
        let failed = answer.is_tool_failure().then(|| "tool_error".to_owned());
        request.report(error.map(|code| code.to_string()).or(failed));
    }

    /// Reports the end of the request to the span and to the observer. Idempotent.
    fn report(&mut self, error: Option<String>) {
        if std::mem::replace(&mut self.reported, true) {
            return;
        }
        if let Some(error) = &error {
            self.span.record("error.type", error).record("otel.status_code", "ERROR");
        }
        if let Some(observer) = &self.observer {
            observer.end(&self.operation, &Outcome { duration: self.started.elapsed(), error });
        }
    }
}

impl Drop for RequestSpan {
    fn drop(&mut self) {
        self.report(Some("cancelled".to_owned()));
    }
}

/// A running call and the span that it runs in.
pub(crate) struct ObservedCall {
    later: Later,
    span: Option<RequestSpan>,
}

impl ObservedCall {
    pub(crate) fn new(later: Later, span: Option<RequestSpan>) -> ObservedCall {
        ObservedCall { later, span }
    }
}

impl Future for ObservedCall {
    type Output = Option<Response>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Option<Response>> {
        let ObservedCall { later, span } = self.get_mut();
        let outcome = RequestSpan::in_scope(span.as_ref(), || Pin::new(later).poll(task));
        if let Poll::Ready(answer) = &outcome {
            let span = span.take();
            if let Some(answer) = answer {
                RequestSpan::finish(span, answer);
            }
        }
        outcome
    }
}

impl fmt::Debug for ObservedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.later.fmt(f)
    }
}
