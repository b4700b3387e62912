//! Published clients over HTTP, with and without a handshake.

mod claude_code;
mod flood;
mod npm;
mod python;
mod rust_rmcp;

use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};

use tokio::{runtime, sync::oneshot};

#[path = "../../../../../examples/calculator.rs"]
#[allow(dead_code, unreachable_pub, reason = "tests use only the function `server` of the example")]
mod calculator;

/// The `calculator` example over HTTP. Dropping the value stops it.
pub(crate) struct OverHttp {
    address: String,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

impl OverHttp {
    pub(crate) fn start() -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (sender, receiver) = sync_channel(1);
        let serving = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let http = mcp_http::Http::new().with_sse();
                let listener = http.listen(calculator::server(), "127.0.0.1:0").await.expect("a free port");
                sender.send(listener.address()).expect("the test waits");
                listener.serve_until(stopped).await;
            });
        });
        let address = format!("http://{}", receiver.recv().expect("the server starts"));
        Self { address, stop: Some(stop), serving: Some(serving) }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/mcp", self.address)
    }

    /// The URL for clients of the older SSE transport.
    pub(crate) fn sse(&self) -> String {
        format!("{}/sse", self.address)
    }
}

impl Drop for OverHttp {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(serving) = self.serving.take() {
            // If the server panicked, a client has already failed.
            let _ = serving.join();
        }
    }
}
