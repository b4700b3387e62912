//! Raw bytes at the interface of the inspector: without the token no tool is called and nothing about the server is sent.

use std::net::SocketAddr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use mcp_inspect::Inspector;
use serde_json::json;

use crate::sockets::{exchange, request, statuses};

/// The number of connections to the inspected server: none may be opened without the token.
static CONNECTIONS: AtomicUsize = AtomicUsize::new(0);

static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let connect = || {
                CONNECTIONS.fetch_add(1, Ordering::SeqCst);
                Err("this server cannot be reached".to_owned())
            };
            let inspector = Inspector::bind(0, json!({"kind": "process", "words": ["secret-server"]}), connect).await;
            let inspector = inspector.expect("a port");
            let address = inspector.url();
            let address = address.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
            sender.send(address.parse().expect("an address")).expect("the caller waits");
            inspector.serve(std::future::pending::<()>()).await.expect("the inspector works");
        });
    });
    receiver.recv().expect("the address of the inspector")
});

/// The input is what a client sends over one connection. `PORT` in it is replaced by the port, because only requests with the right
/// `Host` are read further.
///
/// # Panics
/// If the output is not HTTP or contains something about the inspected server, if the server is called, or if the page is not served
/// any more.
pub fn inspector(data: &[u8]) {
    let port = ADDRESS.port().to_string();
    let output = exchange(*ADDRESS, &replaced(data, port.as_bytes()));
    let text = String::from_utf8_lossy(&output);
    for status in statuses(&output) {
        assert!((100..=503).contains(&status) && status != 500, "status {status}: {text}");
    }
    assert!(!text.contains("secret-server"), "the server is named without the token: {text}");
    assert_eq!(CONNECTIONS.load(Ordering::SeqCst), 0, "the server is called without the token");
    let page = format!("GET / HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n");
    let response = request(*ADDRESS, page.as_bytes());
    assert!(response.starts_with("HTTP/1.1 200"), "the page is not served: {response}");
}

fn replaced(data: &[u8], port: &[u8]) -> Vec<u8> {
    const PLACE: &[u8] = b"PORT";
    let (mut out, mut rest) = (Vec::new(), data);
    while let Some(at) = rest.windows(PLACE.len()).position(|window| window == PLACE) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(port);
        rest = &rest[at + PLACE.len()..];
    }
    out.extend_from_slice(rest);
    out
}
