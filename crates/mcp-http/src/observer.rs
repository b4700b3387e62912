//! Those who watch: spans and figures of what is served, in the words of OpenTelemetry.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use mcp_core::transport::{Request, RequestSummary};
use tracing::Span;
use tracing::field::Empty;

use crate::mirror;
use crate::sessions::SESSION_ID;
use crate::watch::Watch;

/// The name by which spans of this crate are filtered.
const TARGET: &str = "mcp_http";

/// Watches every request from its begin to its end: an exporter of metrics, or of spans that go on from a client's.
///
/// Without one, each request is served in a [`tracing`] span of the level `info`, and so is what its tool logs.
///
/// ```
/// use mcp_http::{Http, Observer, Operation, Outcome};
///
/// struct Slow;
///
/// impl Observer for Slow {
///     fn end(&self, operation: &Operation, outcome: &Outcome) {
///         if outcome.duration.as_secs() > 5 {
///             tracing::warn!(method = operation.method, subject = operation.subject, "this took long");
///         }
///     }
/// }
///
/// let http = Http::new().observe(Slow);
/// # let _ = http;
/// ```
pub trait Observer: Send + Sync + 'static {
    /// A request has begun: gives the span that it is served in.
    fn begin(&self, operation: &Operation) -> Span {
        operation.span()
    }

    /// A request has ended. For metrics: the time is OpenTelemetry's `mcp.server.operation.duration`.
    fn end(&self, operation: &Operation, outcome: &Outcome) {
        let _ = (operation, outcome);
    }
}

/// A request, as those see it who watch.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Operation {
    /// The method, such as `tools/call`; `other` if it is none that MCP has.
    pub method: String,
    /// The name of the tool or prompt, or the address of the resource.
    pub subject: Option<String>,
    /// The id of the request, as JSON.
    pub id: String,
    /// The revision that the client names.
    pub revision: Option<String>,
    /// The session, where there is one.
    pub session: Option<String>,
    /// The span of the client that this goes on from, from the header of that name (W3C trace context).
    pub traceparent: Option<String>,
    /// What vendors add to it.
    pub tracestate: Option<String>,
}

/// How a request ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// How long it took.
    pub duration: Duration,
    /// What kind of error, if it failed: a JSON-RPC code, `tool_error`, or `cancelled` if nobody waited for the answer.
    pub error: Option<String>,
}

impl Operation {
    fn of(request: &Request<'_>, outline: &RequestSummary<'_>, headers: &HeaderMap) -> Operation {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Operation {
            // Whatever a client makes up must not become a name in somebody's metrics.
            method: if outline.is_known { request.method.to_string() } else { "other".to_owned() },
            subject: outline.subject.as_deref().map(str::to_owned),
            id: request.id.as_json().into_owned(),
            revision: outline.revision.as_deref().map(str::to_owned).or_else(|| header(mirror::VERSION.as_str())),
            session: header(SESSION_ID),
            traceparent: header("traceparent"),
            tracestate: header("tracestate"),
        }
    }

    /// The span that a request is served in. Inside of it the core has one for each call, with all that OpenTelemetry has
    /// names for in MCP; this one is the request of HTTP around it.
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

/// Who watches, if anybody does.
#[derive(Clone, Default)]
pub(crate) struct Watchers(pub(crate) Option<Arc<dyn Observer>>);

impl Watchers {
    /// Begins to watch a request, if somebody wants to.
    pub(crate) fn begin(&self, request: &Request<'_>, outline: &RequestSummary<'_>, headers: &HeaderMap) -> Option<Watch> {
        if self.0.is_none() && !tracing::span_enabled!(target: TARGET, tracing::Level::INFO) {
            return None;
        }
        Some(Watch::begin(self.0.clone(), Operation::of(request, outline, headers)))
    }
}

impl fmt::Debug for Watchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Watchers(1)" } else { "Watchers(0)" })
    }
}
