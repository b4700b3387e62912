//! Serves a calculator over HTTP and exports its spans and metrics to an OpenTelemetry collector. The argument is the
//! address of the collector; the default is `http://127.0.0.1:4318`.
//!
//! ```sh
//! cargo run -p otlp-server -- http://127.0.0.1:4318
//! ```

use std::error::Error;

use mcp_http::Http;
use otlp_server::{Telemetry, calculator};

fn main() -> Result<(), Box<dyn Error>> {
    let collector = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:4318".to_owned());
    // The exporters start their own threads and use a blocking HTTP client, so they must be created outside of the async
    // runtime.
    let telemetry = Telemetry::start(&collector)?;
    tracing::subscriber::set_global_default(telemetry.subscriber())?;
    serve(Http::new().observe(telemetry.observer()))?;
    telemetry.stop()
}

#[tokio::main]
async fn serve(http: Http) -> Result<(), mcp_http::Error> {
    http.listen(calculator(), "127.0.0.1:8080").await?.serve().await
}
