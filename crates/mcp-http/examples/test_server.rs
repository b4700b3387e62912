//! The server of the tests in `tests/process`: `test_server [GRACE_SECONDS]`.
//!
//! It prints `started` to standard output when a call starts. Its calls end when it reads a line from standard input.

use std::io::{self, Write};
use std::time::Duration;

use mcp_core::serde_json::Value;
use mcp_core::{Context, Live, Server, ToolSpec, tool_fn};
use mcp_http::Http;
use tokio::sync::watch;

// One thread: a tool that blocks it blocks the whole server.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), mcp_http::Error> {
    let (release, released) = watch::channel(false);
    std::thread::spawn(move || {
        let mut line = String::new();
        while io::stdin().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            release.send_replace(true);
        }
        // Closed by the test: keeps the channel open, so that the calls do not end.
        std::thread::park();
    });
    let wait = tool_fn(ToolSpec::new("wait", "Wait until the test releases the call."), move |_: Value, _: Context| {
        let mut released = released.clone();
        async move {
            started();
            let _ = released.wait_for(|released| *released).await;
            "released"
        }
    });
    let block = tool_fn(ToolSpec::new("block", "Block the thread of the server."), |_: Value, _: Context| async {
        started();
        loop {
            std::thread::park();
        }
        #[allow(unreachable_code, reason = "gives the future its type")]
        "never"
    });
    let mut http = Http::new().with_sse();
    if let Some(seconds) = std::env::args().nth(1).and_then(|seconds| seconds.parse().ok()) {
        http = http.grace(Duration::from_secs(seconds));
    }
    // A live server accepts subscriptions to changes of its lists.
    let server = Live::new(Server::builder("test", "1.0.0").tools([wait, block]))?;
    http.listen(server, "127.0.0.1:0").await?.serve().await
}

fn started() {
    let _ = writeln!(io::stdout(), "started");
}
