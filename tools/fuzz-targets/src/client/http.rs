//! A server at the other end of TCP connections.

use std::sync::Arc;
use std::time::Duration;

use mcp_client::{Client, Revision};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;

use super::script::Script;
use super::{options, use_everything};

/// The time limit of one operation. Timers need the real clock, because the connections are real.
const TIMEOUT: Duration = Duration::from_millis(100);

/// The first byte selects the revision and the transport. Each piece of the rest, up to a NUL byte, is the whole response to a
/// request, after which the connection ends; `@` is the id of the request. A piece that begins with `data:`, `event:` or `id:`
/// is the body of an event stream.
///
/// # Panics
/// If the client panics, sends an invalid message, or does not end.
pub fn client_http(data: &[u8]) {
    let [selector, script @ ..] = data else { return };
    let revisions = Revision::ALL;
    let revision = revisions[usize::from(selector & 0x0f) % revisions.len()];
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let script = Arc::new(Script::new(script));
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}/mcp", listener.local_addr().expect("a port"));
        tokio::spawn(accept(listener, script));
        let builder = if selector & 0x10 == 0 { Client::http(url) } else { Client::sse(url) };
        let builder = options(if selector & 0x20 == 0 { builder.revision(revision) } else { builder }, TIMEOUT);
        let work = async {
            let Ok(client) = builder.await else { return };
            use_everything(&client).await;
            client.close().await;
        };
        tokio::time::timeout(Duration::from_secs(120), work).await.expect("every operation has a timeout");
    });
}

async fn accept(listener: TcpListener, script: Arc<Script>) {
    while let Ok((stream, _)) = listener.accept().await {
        let script = script.clone();
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream);
            let Some(body) = read(&mut stream).await else { return };
            // A request without a body asks for a stream of events.
            let _ = stream.get_mut().write_all(&response(script.answer(&body))).await;
        });
    }
}

/// Reads a request. Returns its body.
async fn read(stream: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let length = head.to_ascii_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.ok()?;
    Some(body)
}

fn response(piece: Option<Vec<u8>>) -> Vec<u8> {
    const EVENTS: [&[u8]; 3] = [b"data:", b"event:", b"id:"];
    let Some(piece) = piece else {
        return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec();
    };
    let kind = match () {
        () if EVENTS.iter().any(|start| piece.starts_with(start)) => "text/event-stream",
        () if piece.starts_with(b"{") || piece.starts_with(b"[") => "application/json",
        () => return piece,
    };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), &piece].concat()
}
