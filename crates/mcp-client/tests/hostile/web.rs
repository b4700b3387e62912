//! An HTTP server that sends exactly the bytes that a test chooses.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mcp_client::{Builder, Client, Recovery, Revision};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// One request, and the connection for its response.
pub(crate) struct Visit {
    pub(crate) head: String,
    pub(crate) body: Value,
    pub(crate) stream: BufReader<TcpStream>,
}

impl Visit {
    pub(crate) fn id(&self) -> u64 {
        self.body["id"].as_u64().unwrap_or_default()
    }

    pub(crate) fn is(&self, method: &str) -> bool {
        self.body["method"] == method
    }

    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.get_mut().write_all(bytes.as_ref()).await.is_ok()
    }

    /// Sends a response with this status, these headers and this body.
    pub(crate) async fn respond(&mut self, status: &str, headers: &str, body: &str) {
        let length = body.len();
        self.write(format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"))
            .await;
    }

    pub(crate) async fn json(&mut self, headers: &str, result: Value) {
        let body = json!({"jsonrpc": "2.0", "id": self.id(), "result": result}).to_string();
        self.respond("200 OK", &format!("content-type: application/json\r\n{headers}"), &body).await;
    }

    /// Sends the head of an event stream.
    pub(crate) async fn events(&mut self) {
        self.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n").await;
    }
}

/// Serves requests with this function until the test ends.
pub(crate) async fn serve<F, R>(visit: F) -> SocketAddr
where
    F: Fn(Visit) -> R + Send + Sync + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let (address, visit) = (listener.local_addr().unwrap(), Arc::new(visit));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let visit = visit.clone();
            tokio::spawn(async move {
                if let Some(request) = read(stream).await {
                    visit(request).await;
                }
            });
        }
    });
    address
}

async fn read(stream: TcpStream) -> Option<Visit> {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let length = head.to_ascii_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.ok()?;
    Some(Visit { head, body: serde_json::from_slice(&body).unwrap_or_default(), stream })
}

/// Returns a stateless client of a server that behaves correctly until it is called.
pub(crate) async fn client<F, R>(options: impl FnOnce(Builder) -> Builder, called: F) -> Client
where
    F: Fn(Visit) -> R + Send + Sync + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let called = Arc::new(called);
    let address = serve(move |mut visit| {
        let called = called.clone();
        async move {
            if visit.is("server/discover") {
                let found = json!({"supportedVersions": ["2026-07-28"], "capabilities": {}, "resultType": "complete"});
                visit.json("", found).await;
            } else {
                called(visit).await;
            }
        }
    })
    .await;
    let builder = Client::http(format!("http://{address}/mcp")).recovery(Recovery::off()).timeout(Duration::from_secs(30));
    options(builder.revision(Revision::NEWEST)).await.unwrap()
}
