//! Tests the example against a fake collector that decodes the exported data.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use mcp_core::serde_json::json;
use mcp_http::{Endpoint, Http};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::trace::v1::Span;
use otlp_server::{Telemetry, calculator};
use prost::Message;
use tokio::net::TcpListener;
use tower_service::Service;

/// Receives exports: the path and the body of each request.
fn collector() -> (SocketAddr, Receiver<(String, Bytes)>) {
    let (sender, exported) = channel();
    let (bound, address) = channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            bound.send(listener.local_addr().unwrap()).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let sender = sender.clone();
                let service = service_fn(move |request| take(request, sender.clone()));
                let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                tokio::spawn(connection);
            }
        });
    });
    (address.recv().unwrap(), exported)
}

async fn take(request: Request<Incoming>, sender: Sender<(String, Bytes)>) -> Result<Response<Full<Bytes>>, Infallible> {
    assert_eq!(request.headers()["content-type"], "application/x-protobuf");
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let _ = sender.send((path, body));
    Ok(Response::new(Full::default()))
}

async fn call(endpoint: &Endpoint, traceparent: &str, arguments: mcp_core::serde_json::Value) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "add", "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "add")
        .header("traceparent", traceparent);
    let request = request.body(Full::<Bytes>::from(body.to_string())).unwrap();
    let Ok(response) = endpoint.clone().call(request).await;
    assert_eq!(response.status(), 200);
}

fn text<'a>(attributes: &'a [KeyValue], name: &str) -> Option<&'a str> {
    let value = attributes.iter().find(|attribute| attribute.key == name)?.value.as_ref()?.value.as_ref()?;
    match value {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}

#[test]
fn the_collector_receives_spans_of_the_client_s_trace_and_request_durations() {
    let (address, exported) = collector();
    let telemetry = Telemetry::start(&format!("http://{address}")).unwrap();
    let endpoint = Http::new().observe(telemetry.observer()).endpoint(calculator()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tracing::subscriber::with_default(telemetry.subscriber(), || {
        runtime.block_on(async {
            let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            call(&endpoint, traceparent, json!({"a": 1, "b": 2})).await;
            call(&endpoint, traceparent, json!({"a": "one", "b": 2})).await;
        });
    });
    telemetry.stop().unwrap();

    let trace = hex("0af7651916cd43dd8448eb211c80319c");
    let (mut spans, mut metrics) = (Vec::new(), Vec::new());
    for (path, body) in exported.try_iter() {
        match path.as_str() {
            "/v1/traces" => spans.extend(ExportTraceServiceRequest::decode(body).unwrap().resource_spans),
            "/v1/metrics" => metrics.extend(ExportMetricsServiceRequest::decode(body).unwrap().resource_metrics),
            other => panic!("unexpected export to {other}"),
        }
    }
    let spans = spans.into_iter().flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans);
    let (requests, calls): (Vec<Span>, Vec<Span>) = spans.partition(|span| span.name == "POST");
    assert_eq!((requests.len(), calls.len()), (2, 2), "{requests:?} {calls:?}");
    for (request, call) in requests.iter().zip(&calls) {
        assert_eq!(request.parent_span_id, hex("b7ad6b7169203331"), "the parent is the client's span");
        assert!(requests.iter().any(|request| request.span_id == call.parent_span_id), "{call:?}");
        assert_eq!((&request.trace_id, &call.trace_id), (&trace, &trace));
        assert_eq!(text(&request.attributes, "mcp.method.name"), Some("tools/call"));
    }
    for span in &calls {
        assert_eq!(span.name, "tools/call add");
        for (name, value) in
            [("mcp.method.name", "tools/call"), ("gen_ai.tool.name", "add"), ("mcp.protocol.version", "2026-07-28")]
        {
            assert_eq!(text(&span.attributes, name), Some(value), "{span:?}");
        }
    }
    assert!(calls.iter().any(|span| span.events.iter().any(|event| event.name == "adding")), "{calls:?}");
    assert!(calls.iter().any(|span| text(&span.attributes, "error.type") == Some("tool_error")), "{calls:?}");

    let metrics = metrics.into_iter().flat_map(|resource| resource.scope_metrics).flat_map(|scope| scope.metrics);
    let metric = metrics.into_iter().find(|metric| metric.name == "mcp.server.operation.duration").unwrap();
    let Some(Data::Histogram(histogram)) = metric.data else { panic!("{:?}", metric.data) };
    let counts: Vec<_> =
        histogram.data_points.iter().map(|point| (point.count, text(&point.attributes, "error.type"))).collect();
    assert!(metric.unit == "s" && counts.contains(&(1, None)) && counts.contains(&(1, Some("tool_error"))), "{counts:?}");
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}
