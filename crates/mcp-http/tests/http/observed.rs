//! Observers and spans.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use mcp_core::serde_json::{Value, json};
use mcp_core::{Context, Server, ToolSpec, tool_fn};
use mcp_http::{Endpoint, Http, Observer, Operation, Outcome};

use crate::client::Post;
use crate::fixture;
use crate::handshake::{initialize, request};

#[derive(Clone, Default)]
struct Book(Arc<Mutex<Vec<(Operation, Outcome)>>>);

impl Observer for Book {
    fn end(&self, operation: &Operation, outcome: &Outcome) {
        self.0.lock().unwrap().push((operation.clone(), outcome.clone()));
    }
}

impl Book {
    /// Returns method, subject and error of the requests that have ended since the last call.
    fn read(&self) -> Vec<(String, Option<String>, Option<String>)> {
        let ended = std::mem::take(&mut *self.0.lock().unwrap());
        ended.into_iter().map(|(operation, outcome)| (operation.method, operation.subject, outcome.error)).collect()
    }
}

fn watched() -> (Book, Endpoint, fixture::Events) {
    let (book, (server, events)) = (Book::default(), fixture::server());
    (book.clone(), Http::new().observe(book).endpoint(server).unwrap(), events)
}

fn line(method: &str, subject: Option<&str>, error: Option<&str>) -> Vec<(String, Option<String>, Option<String>)> {
    vec![(method.to_owned(), subject.map(str::to_owned), error.map(str::to_owned))]
}

#[tokio::test]
async fn every_request_is_reported_once_with_its_outcome() {
    let (book, endpoint, mut events) = watched();
    let call = |tool: &str| Post::stateless("tools/call", json!({"name": tool}));
    call("echo").send(&endpoint).await;
    assert_eq!(book.read(), line("tools/call", Some("echo"), None));
    call("panics").send(&endpoint).await;
    assert_eq!(book.read(), line("tools/call", Some("panics"), Some("tool_error")));
    call("chatty").send(&endpoint).await;
    assert_eq!(book.read(), line("tools/call", Some("chatty"), None));
    Post::stateless("tools/list", json!({})).send(&endpoint).await;
    assert_eq!(book.read(), line("tools/list", None, None));
    Post::stateless("made/up", json!({})).send(&endpoint).await;
    assert_eq!(book.read(), line("other", None, Some("-32601")));

    let (post, other) = (call("hang"), endpoint.clone());
    let hanging = tokio::spawn(async move { post.send(&other).await.status });
    assert_eq!(events.recv().await, Some("started"));
    assert_eq!(book.read(), []);
    hanging.abort();
    assert_eq!(events.recv().await, Some("dropped"));
    assert!(hanging.await.is_err());
    assert_eq!(book.read(), line("tools/call", Some("hang"), Some("cancelled")));
}

#[tokio::test]
async fn requests_of_sessions_are_reported_with_their_session_and_trace() {
    let (book, endpoint, _events) = watched();
    let session = initialize(&endpoint, "2025-11-25").await;
    assert_eq!(book.read(), line("initialize", None, None));
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let call = request(&session, json!("x"), "tools/call", json!({"name": "chatty"}));
    call.header("traceparent", parent).header("tracestate", "a=b").send(&endpoint).await;
    let (operation, outcome) = book.0.lock().unwrap().pop().unwrap();
    assert_eq!((operation.session.as_deref(), operation.id.as_str()), (Some(&*session), "\"x\""));
    assert_eq!((operation.traceparent.as_deref(), operation.tracestate.as_deref()), (Some(parent), Some("a=b")));
    assert!(outcome.error.is_none() && outcome.duration.as_nanos() > 0);
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn events_of_a_tool_are_in_a_span_with_opentelemetry_names() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    // The subscriber is global: whether a span is enabled is cached for the whole process.
    tracing::subscriber::set_global_default(subscriber).expect("no other test sets one");
    tracing::callsite::rebuild_interest_cache();
    let tool = tool_fn(ToolSpec::new("talk", "Talk."), |_: Value, _: Context| async {
        tokio::task::yield_now().await;
        tracing::info!("inside");
    });
    let endpoint = Http::new().endpoint(Server::builder("s", "1").tools(tool)).unwrap();
    Post::stateless("tools/call", json!({"name": "talk"})).send(&endpoint).await;
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let line = text.lines().find(|line| line.contains("inside")).unwrap_or_else(|| panic!("{text}"));
    for field in [
        r#"otel.name="tools/call talk""#,
        r#"otel.kind="server""#,
        r#"mcp.method.name="tools/call""#,
        r#"mcp.protocol.version="2026-07-28""#,
        r#"gen_ai.tool.name="talk""#,
        r#"gen_ai.operation.name="execute_tool""#,
        r#"jsonrpc.request.id="1""#,
        r#"network.transport="tcp""#,
    ] {
        assert!(line.contains(field), "no {field} in {line}");
    }
}
