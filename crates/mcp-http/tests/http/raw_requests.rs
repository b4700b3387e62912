//! Requests that an HTTP client library would not send, over a raw socket.

use std::time::Duration;

use mcp_core::serde_json::{self, Value, json};
use mcp_http::Http;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::Post;
use crate::sockets::{Running, TEST_TIMEOUT, exchange, run, wire};

/// A valid request that closes its connection.
fn list() -> Post {
    Post::stateless("tools/list", json!({})).header("connection", "close")
}

/// Sends a request whose line `replaced` is replaced. Returns the status and the response.
async fn send(running: &Running, replaced: &str, by: &str) -> (u16, String) {
    let valid = String::from_utf8(wire(&list(), "/mcp")).unwrap();
    assert!(valid.contains(replaced), "{valid}");
    let response = exchange(running, valid.replacen(replaced, by, 1).as_bytes()).await;
    (response["HTTP/1.1 ".len()..][..3].parse().unwrap(), response)
}

fn message(response: &str) -> Value {
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    serde_json::from_str::<Value>(body).unwrap()["error"]["message"].clone()
}

const HOST: &str = "host: localhost\r\n";

#[tokio::test]
async fn a_request_with_two_host_headers_is_a_bad_request() {
    let running = run(Http::new()).await;
    assert_eq!(send(&running, HOST, HOST).await.0, 200);
    for second in ["host: localhost\r\n", "host: evil.example\r\n"] {
        let (status, response) = send(&running, HOST, &format!("{HOST}{second}")).await;
        assert_eq!((status, message(&response)), (400, json!("a request must have exactly one header `Host`")));
    }
}

#[tokio::test]
async fn a_request_without_a_host_header_is_a_bad_request() {
    let running = run(Http::new()).await;
    assert_eq!(send(&running, HOST, "").await.0, 400);
    let any_host = run(Http::new().allow_any_host()).await;
    assert_eq!(send(&any_host, HOST, "").await.0, 400);
    assert_eq!(send(&any_host, HOST, "host: any.example\r\n").await.0, 200);
}

#[tokio::test]
async fn http_1_0_needs_no_host_header_if_every_host_is_accepted() {
    let old = "HTTP/1.0\r\n";
    let strict = run(Http::new()).await;
    let (status, response) = send(&strict, "HTTP/1.1\r\n", old).await;
    assert_eq!(status, 200, "{response}");
    let without_host = String::from_utf8(wire(&list().without("host"), "/mcp")).unwrap().replacen("HTTP/1.1\r\n", old, 1);
    assert!(exchange(&strict, without_host.as_bytes()).await.starts_with("HTTP/1.0 403"));
    let any_host = run(Http::new().allow_any_host()).await;
    assert!(exchange(&any_host, without_host.as_bytes()).await.starts_with("HTTP/1.0 200"));
}

#[tokio::test]
async fn a_compressed_body_is_an_unsupported_media_type() {
    let running = run(Http::new()).await;
    for coding in ["gzip", "identity, gzip", "br"] {
        let (status, response) = send(&running, HOST, &format!("{HOST}content-encoding: {coding}\r\n")).await;
        assert_eq!(status, 415, "{coding}");
        assert!(response.contains("accept-encoding: identity\r\n"), "{response}");
    }
    assert_eq!(send(&running, HOST, &format!("{HOST}content-encoding: identity\r\n")).await.0, 200);
}

#[tokio::test]
async fn another_charset_is_an_unsupported_media_type() {
    let running = run(Http::new()).await;
    let kind = "content-type: application/json";
    for charset in ["utf-16", "iso-8859-1", "\"utf-7\""] {
        assert_eq!(send(&running, kind, &format!("{kind}; charset={charset}")).await.0, 415, "{charset}");
    }
    for charset in ["utf-8", "UTF-8", "\"utf-8\""] {
        assert_eq!(send(&running, kind, &format!("{kind}; charset={charset}")).await.0, 200, "{charset}");
    }
}

#[tokio::test]
async fn an_unknown_expectation_fails() {
    let running = run(Http::new()).await;
    for expectation in ["a-miracle", "100-continue, a-miracle", ""] {
        assert_eq!(send(&running, HOST, &format!("{HOST}expect: {expectation}\r\n")).await.0, 417, "{expectation}");
    }
    assert_eq!(send(&running, HOST, &format!("{HOST}expect: a-miracle\r\nexpect: 100-continue\r\n")).await.0, 417);
}

#[tokio::test]
async fn a_client_that_expects_100_continue_gets_it_before_it_sends_the_body() {
    let running = run(Http::new()).await;
    let request = String::from_utf8(wire(&list().header("expect", "100-continue"), "/mcp")).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(format!("{head}\r\n\r\n").as_bytes()).await.unwrap();
    let mut interim = [0; 25];
    timeout(TEST_TIMEOUT, stream.read_exact(&mut interim)).await.unwrap().unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut response = String::new();
    timeout(TEST_TIMEOUT, stream.read_to_string(&mut response)).await.unwrap().unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
}

#[tokio::test]
async fn headers_that_do_not_arrive_in_time_are_answered_with_408() {
    let running = run(Http::new().header_timeout(Duration::from_millis(200))).await;
    let response = exchange(&running, b"POST /mcp HTTP/1.1\r\nhost: loc").await;
    assert!(response.starts_with("HTTP/1.1 408") && response.contains("connection: close\r\n"), "{response}");
    assert_eq!(message(&response), "the request headers did not arrive in time");
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed_without_a_response() {
    let running = run(Http::new().header_timeout(Duration::from_millis(200))).await;
    assert_eq!(exchange(&running, b"").await, "");
    let mut kept_alive = list();
    kept_alive.0.headers.remove("connection");
    let responses = exchange(&running, &wire(&kept_alive, "/mcp")).await;
    assert_eq!(responses.matches("HTTP/1.1 ").count(), 1, "{responses}");
}
