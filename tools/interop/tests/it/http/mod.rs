//! Real clients over HTTP, in both eras.

mod claude_code;
mod flood;
mod npm;
mod python;
mod rust_rmcp;

use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};

use tokio::{runtime, sync::oneshot};

#[path = "../../../../../examples/calculator.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example has a `main`, and a `server` for all who want one")]
mod calculator;

/// The `calculator` example, over HTTP. It ends with this value.
pub(crate) struct OverHttp {
    address: String,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

impl OverHttp {
    pub(crate) fn start() -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = sync_channel(1);
        let serving = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let http = mcp_http::Http::new().with_sse();
                let listener = http.listen(calculator::server(), "127.0.0.1:0").await.expect("a free port");
                tell.send(listener.address()).expect("the test waits");
                listener.serve_until(stopped).await;
            });
        });
        let address = format!("http://{}", told.recv().expect("the server starts"));
        Self { address, stop: Some(stop), serving: Some(serving) }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/mcp", self.address)
    }

    /// Where clients of the older transport come to.
    pub(crate) fn sse(&self) -> String {
        format!("{}/sse", self.address)
    }
}

impl Drop for OverHttp {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(serving) = self.serving.take() {
            // What went wrong in there has been told by the test that it went wrong in.
            let _ = serving.join();
        }
    }
}
