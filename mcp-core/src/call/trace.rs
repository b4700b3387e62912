//! Requests as spans of `tracing`, in the words of OpenTelemetry for MCP.

use tracing::field::Empty;
use tracing::{Span, info_span};

use crate::call::state::Target;
use crate::jsonrpc::{Body, Id, RawJson};
use crate::protocol::Revision;
use crate::protocol::meta::RequestMeta;

/// The span that a request is worked on in.
///
/// The trace that the client is in stands in its fields (`traceparent`, `tracestate`, `baggage`), for a layer that
/// knows what to do with them: the core knows no OpenTelemetry.
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
    // An address may be any of thousands: it would not do as a part of the span's name.
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

/// Does something in the span, if there is one.
#[inline]
pub(crate) fn within<T>(span: &Span, work: impl FnOnce() -> T) -> T {
    // Nobody listens to most servers, and these need not tell.
    if span.is_disabled() { work() } else { span.in_scope(work) }
}

/// Says in the span how the request ended.
#[inline]
pub(crate) fn record(span: &Span, body: &Body) {
    if span.is_disabled() {
        return;
    }
    match body {
        Body::Error(error) => {
            span.record("rpc.response.status_code", error.code.0).record("error.type", error.code.0);
        }
        Body::Tool(tool) if tool.output.is_error() => drop(span.record("error.type", "tool_error")),
        _ => {}
    }
}
