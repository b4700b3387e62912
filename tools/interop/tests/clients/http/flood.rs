//! Floods of sessions, bodies and streams, and the memory that they use.

use std::time::Duration;

use interop::Everything;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime;
use tokio::time::timeout;

/// Generous, because CI machines are slow under load.
const TIMEOUT: Duration = Duration::from_secs(300);

const MIB: u64 = 1 << 20;

#[test]
fn memory_stays_bounded_during_floods() {
    let server = Everything::start();
    let Some(before) = server.memory() else {
        return test_env::skip("the memory of a process is read from /proc, which only Linux has");
    };
    let address = server.url().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let flood = || {
        runtime.block_on(async {
            timeout(TIMEOUT, async {
                sessions(&address).await;
                bodies(&address).await;
                streams(&address).await;
            })
            .await
            .expect("the server takes the flood");
        });
        server.memory().expect("the server still runs")
    };
    // All large bodies together may use 64 MiB. Growing buffers, connections and the allocator use more. Sixteen floods stayed
    // below 250 MiB. A flood whose memory is not freed would add 150 MiB.
    for _ in 0..6 {
        let now = flood();
        assert!(now < before + 320 * MIB, "{} MiB, then {} MiB", before / MIB, now / MIB);
    }
}

/// Opens more sessions than the limit and does not use them. New ones replace old ones.
async fn sessions(address: &str) {
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}"#;
    let request = head(hello.len()) + hello;
    let mut opened = 0;
    for _ in 0..15 {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        stream.write_all(request.repeat(100).as_bytes()).await.expect("the server reads");
        stream.shutdown().await.expect("the server reads");
        let mut answers = String::new();
        // The server may close the connection.
        let _ = stream.read_to_string(&mut answers).await;
        opened += answers.matches("HTTP/1.1 200").count();
    }
    assert!(opened > 1024, "only {opened} handshakes succeeded");
}

/// Sends incomplete large bodies on many connections at once.
async fn bodies(address: &str) {
    let part = format!("{}{}", head(4 << 20), " ".repeat(1 << 20));
    let mut open = Vec::new();
    for _ in 0..150 {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        // The server may close the connection before all is sent.
        let _ = timeout(Duration::from_secs(5), stream.write_all(part.as_bytes())).await;
        open.push(stream);
    }
}

/// Sends incomplete headers, and calls whose responses are not read.
async fn streams(address: &str) {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let extra = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\n";
    let request = head(call.len()).replacen("\r\n", &format!("\r\n{extra}"), 1) + call;
    let mut open = Vec::new();
    for round in 0..300 {
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        let bytes = if round % 2 == 0 { "POST /mcp HTTP/1.1\r\nhost: local".to_owned() } else { request.repeat(50) };
        let _ = timeout(Duration::from_secs(5), stream.write_all(bytes.as_bytes())).await;
        open.push(stream);
    }
}

fn head(length: usize) -> String {
    format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n")
}
