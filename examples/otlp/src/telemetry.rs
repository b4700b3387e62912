//! Exports spans and metrics to the collector.

use std::error::Error;

use mcp_http::{Observer, Operation, Outcome};
use opentelemetry::metrics::{Histogram, MeterProvider};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::layer::SubscriberExt;

/// Histogram bucket boundaries for the duration of MCP requests, in seconds, as OpenTelemetry recommends.
const BOUNDARIES: [f64; 14] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];

/// The exporters: spans are sent in batches, metrics every minute, and the rest at shutdown.
#[derive(Debug)]
pub struct Telemetry {
    spans: SdkTracerProvider,
    figures: SdkMeterProvider,
}

impl Telemetry {
    /// Exports to the collector at that address, such as `http://127.0.0.1:4318`.
    ///
    /// # Errors
    /// If the address is invalid.
    pub fn start(collector: &str) -> Result<Telemetry, Box<dyn Error>> {
        let spans = SpanExporter::builder().with_http().with_protocol(Protocol::HttpBinary);
        let spans = spans.with_endpoint(format!("{collector}/v1/traces")).build()?;
        let figures = MetricExporter::builder().with_http().with_protocol(Protocol::HttpBinary);
        let figures = figures.with_endpoint(format!("{collector}/v1/metrics")).build()?;
        let resource = Resource::builder().with_service_name("otlp-server").build();
        Ok(Telemetry {
            spans: SdkTracerProvider::builder().with_resource(resource.clone()).with_batch_exporter(spans).build(),
            figures: SdkMeterProvider::builder().with_resource(resource).with_periodic_exporter(figures).build(),
        })
    }

    /// Returns the layer that turns `tracing` spans into OpenTelemetry spans.
    pub fn subscriber(&self) -> impl Subscriber + Send + Sync + use<> {
        let tracer = self.spans.tracer_with_scope(InstrumentationScope::builder("mcp_http").build());
        tracing_subscriber::registry().with(tracing_opentelemetry::layer().with_tracer(tracer))
    }

    /// Continues the traces of clients and records the duration of requests.
    pub fn observer(&self) -> impl Observer + use<> {
        let meter = self.figures.meter("mcp_http");
        let duration = meter.f64_histogram("mcp.server.operation.duration").with_unit("s");
        Exporter { duration: duration.with_boundaries(BOUNDARIES.to_vec()).build() }
    }

    /// Sends the remaining spans and metrics. Blocks until the collector has received them or the export times out.
    ///
    /// # Errors
    /// If the export fails.
    pub fn stop(self) -> Result<(), Box<dyn Error>> {
        self.spans.shutdown()?;
        Ok(self.figures.shutdown()?)
    }
}

struct Exporter {
    duration: Histogram<f64>,
}

impl Observer for Exporter {
    fn begin(&self, operation: &Operation) -> Span {
        let span = operation.span();
        // This fails for a span that is not exported. Such a span needs no parent, so the error is ignored.
        let _ = span.set_parent(TraceContextPropagator::new().extract(&Carrier(operation)));
        span
    }

    fn end(&self, operation: &Operation, outcome: &Outcome) {
        let mut attributes = vec![KeyValue::new("mcp.method.name", operation.method.clone())];
        if let Some(tool) = operation.subject.as_ref().filter(|_| operation.method == "tools/call") {
            attributes.push(KeyValue::new("gen_ai.tool.name", tool.clone()));
        }
        if let Some(error) = &outcome.error {
            attributes.push(KeyValue::new("error.type", error.clone()));
        }
        self.duration.record(outcome.duration.as_secs_f64(), &attributes);
    }
}

/// The headers of a request that carry the trace context.
struct Carrier<'a>(&'a Operation);

impl Extractor for Carrier<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        match key {
            "traceparent" => self.0.traceparent.as_deref(),
            "tracestate" => self.0.tracestate.as_deref(),
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}
