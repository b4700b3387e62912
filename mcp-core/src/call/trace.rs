//! The `tracing` span of a request, with the field names of the OpenTelemetry conventions for MCP.

use tracing::field::Empty;
use tracing::{Span, info_span};

use crate::call::state::Target;
use crate::jsonrpc::{Body, Id, RawJson};
use crate::protocol::Revision;
use crate::protocol::meta::RequestMeta;

/// Creates the span of a request.
///
/// The trace context of the client is recorded in the fields `traceparent`, `tracestate` and `baggage`. A layer of the
/// application can connect them to its traces: mcp-core does not depend on OpenTelemetry.
pub(crate) fn span(
    method: &'static str,
    target: Target,
    name: &str,
    id: &Id,
    revision: Revision,
    meta: &RequestMeta<'_>,
) -> Span {
    let span = info_span!(
        "mcp.request",
        otel.name = Empty,
        otel.kind = "server",
        mcp.method.name = method,
        mcp.protocol.version = revision.as_str(),
        mcp.resource.uri = Empty,
        jsonrpc.request.id = Empty,
        gen_ai.operation.name = Empty,
        gen_ai.tool.name = Empty,
        gen_ai.prompt.name = Empty,
        rpc.response.status_code = Empty,
        error.r#type = Empty,
        traceparent = Empty,
        tracestate = Empty,
        baggage = Empty,
    );
    if span.is_disabled() {
        return span;
    }
    span.record("jsonrpc.request.id", id.as_json().trim_matches('"'));
    match target {
        Target::Tool(_) => {
            span.record("gen_ai.tool.name", name).record("gen_ai.operation.name", "execute_tool");
        }
        Target::Prompt(_) => drop(span.record("gen_ai.prompt.name", name)),
        Target::Resource(_) => drop(span.record("mcp.resource.uri", name)),
        Target::Completion | Target::Subscription | Target::Task => {}
    }
    // A resource URI is not part of the span's name: there may be thousands of them, and span names need few values.
    let named = matches!(target, Target::Tool(_) | Target::Prompt(_));
    span.record("otel.name", if named { format!("{method} {name}") } else { method.to_owned() });
    let context = [("traceparent", meta.traceparent), ("tracestate", meta.tracestate), ("baggage", meta.baggage)];
    for (field, raw) in context {
        if let Some(value) = raw.and_then(RawJson::string) {
            span.record(field, &*value);
        }
    }
    span
}

/// Runs `work` inside the span.
#[inline]
pub(crate) fn within<T>(span: &Span, work: impl FnOnce() -> T) -> T {
    // Most servers have no subscriber: skip the cost of entering the span.
    if span.is_disabled() { work() } else { span.in_scope(work) }
}

/// Records the outcome of the request in the span.
#[inline]
pub(crate) fn record(span: &Span, body: &Body) {
    if span.is_disabled() {
        return;
    }
    match body {
        Body::Error(error) => {
            span.record("rpc.response.status_code", error.code.0).record("error.type", error.code.0);
        }
        Body::Tool(tool) if tool.result.is_error => drop(span.record("error.type", "tool_error")),
        _ => {}
    }
}
