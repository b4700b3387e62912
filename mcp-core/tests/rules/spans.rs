//! `tracing` spans of requests, and trace propagation from the client.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Once;

use mcp_core::{Context, Server, ToolSpec, tool, tool_fn, tools};
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::session::{Peer, stateless};

/// Records the fields of spans, and the span of each event, separately for each thread. Each test runs on its own thread.
///
/// It is installed once, globally: `tracing` caches globally whether a callsite is enabled, so a subscriber that is installed
/// for one test could miss events while other tests run.
struct Recorder;

thread_local! {
    static RECORDED: RefCell<Recorded> = RefCell::default();
}

/// Changes the records of the current thread.
fn with<T>(change: impl FnOnce(&mut Recorded) -> T) -> T {
    RECORDED.with_borrow_mut(change)
}

#[derive(Default)]
struct Recorded {
    spans: Vec<Fields>,
    entered: Vec<u64>,
    /// The span of each event.
    events: Vec<Option<u64>>,
}

#[derive(Clone, Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        with(|recorded| {
            recorded.spans.push(fields);
            Id::from_u64(u64::try_from(recorded.spans.len()).unwrap())
        })
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let index = usize::try_from(span.into_u64()).unwrap() - 1;
        with(|recorded| recorded.spans.get_mut(index).map(|fields| values.record(fields)));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        with(|recorded| recorded.events.push(recorded.entered.last().copied()));
    }

    fn enter(&self, span: &Id) {
        with(|recorded| recorded.entered.push(span.into_u64()));
    }

    fn exit(&self, span: &Id) {
        with(|recorded| recorded.entered.retain(|entered| *entered != span.into_u64()));
    }
}

/// Write a log message.
#[tool]
fn blocking() {
    tracing::info!("from a plain function");
}

fn server() -> mcp_core::Builder {
    let waiting = tool_fn(ToolSpec::new("waiting", "Log."), |_: Value, _: Context| async {
        futures_lite::future::yield_now().await;
        tracing::info!("after a wait");
    });
    let failing = tool_fn(ToolSpec::new("failing", "Fail."), |_: Value, _: Context| async { Err::<(), _>("no") });
    Server::builder("spans", "1.0.0").tools(tools![blocking]).tools([waiting, failing])
}

fn recorded(talk: impl FnOnce(&mut Peer)) -> Recorded {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing::subscriber::set_global_default(Recorder).expect("nobody else sets one");
        // Callsites that other threads reached before the subscriber was installed were cached as disabled.
        tracing::callsite::rebuild_interest_cache();
    });
    with(std::mem::take);
    talk(&mut Peer::new(server()));
    with(std::mem::take)
}

#[test]
fn a_call_has_a_span_with_opentelemetry_fields_and_the_trace_of_the_client() {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let recorded = recorded(|peer| {
        let mut meta = stateless();
        (meta["traceparent"], meta["tracestate"], meta["baggage"]) = (json!(parent), json!("a=1"), json!(7));
        peer.ask("tools/call", json!({"name": "failing", "_meta": meta}));
    });
    let span = &recorded.spans[0].0;
    for (field, value) in [
        ("otel.name", "tools/call failing"),
        ("otel.kind", "server"),
        ("mcp.method.name", "tools/call"),
        ("mcp.protocol.version", "2026-07-28"),
        ("jsonrpc.request.id", "ask"),
        ("gen_ai.tool.name", "failing"),
        ("gen_ai.operation.name", "execute_tool"),
        ("traceparent", parent),
        ("tracestate", "a=1"),
        ("error.type", "tool_error"),
    ] {
        assert_eq!(span.get(field).map(String::as_str), Some(value), "{field}");
    }
    assert!(!span.contains_key("baggage"), "a value that is not a string is left out");
}

#[test]
fn events_of_a_tool_are_in_the_span_of_its_call_on_every_thread() {
    for tool in ["blocking", "waiting"] {
        let recorded = recorded(|peer| {
            peer.ask("tools/call", json!({"name": tool, "_meta": stateless()}));
            peer.poll();
        });
        assert_eq!(recorded.events, [Some(1)], "{tool}");
    }
}
