//! HTTP servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_client::{CallError, Client, ConnectError, Recovery, Revision};
use serde_json::json;

use crate::web::{Visit, client, serve};
use crate::wire::{call, good};

/// A client whose server redirects every request.
async fn redirected(location: String) -> ConnectError {
    let address = serve(move |mut visit| {
        let location = location.clone();
        async move { visit.respond("307 Temporary Redirect", &format!("location: {location}\r\n"), "").await }
    });
    Client::http(format!("http://{}/mcp", address.await)).bearer("secret").await.unwrap_err()
}

pub(crate) async fn a_redirect_to_loopback() {
    let visits = Arc::new(AtomicUsize::new(0));
    let seen = visits.clone();
    let inner = serve(move |_| {
        seen.fetch_add(1, Ordering::SeqCst);
        async {}
    })
    .await;
    let error = redirected(format!("http://{inner}/admin")).await;
    assert!(matches!(&error, ConnectError::Redirect { status: 307, location } if location.contains("/admin")), "{error}");
    assert_eq!(visits.load(Ordering::SeqCst), 0, "the redirect was followed");
}

pub(crate) async fn a_redirect_to_a_metadata_address() {
    let error = redirected("http://169.254.169.254/latest/meta-data/".to_owned()).await;
    assert!(matches!(error, ConnectError::Redirect { .. }), "{error}");
    let error = redirected("x".repeat(10_000)).await;
    assert!(error.to_string().len() < 1000);
}

fn invalid(result: Result<mcp_client::ToolResult, CallError>) -> String {
    match result {
        Err(CallError::Invalid { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn a_body_over_the_limit() {
    let answer = async |mut visit: Visit| {
        visit.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n").await;
        while visit.write(vec![b' '; 64 << 10]).await {}
    };
    let client = client(|options| options.message_limit(1 << 20), answer).await;
    assert!(invalid(call(&client).await.unwrap()).contains("limit of 1048576 bytes"));
}

pub(crate) async fn a_body_that_ends_early() {
    let answer = async |mut visit: Visit| {
        visit.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"jsonrpc\"").await;
    };
    let client = client(|options| options, answer).await;
    let error = call(&client).await.unwrap().unwrap_err();
    assert!(matches!(error, CallError::Lost { begun: true, .. }), "{error:?}");
}

pub(crate) async fn an_endless_event() {
    let answer = async |mut visit: Visit| {
        visit.events().await;
        let head = format!("data: {{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":\"", visit.id());
        visit.write(head).await;
        for _ in 0..1024 {
            if !visit.write(vec![b'x'; 64 << 10]).await {
                return;
            }
        }
        visit.write("\"}\n\n").await;
        std::future::pending().await
    };
    let client = client(|options| options.message_limit(1 << 20), answer).await;
    assert!(invalid(call(&client).await.unwrap()).contains("limit 1048576"));
}

pub(crate) async fn an_endless_stream_of_comments() {
    let answer = async |mut visit: Visit| {
        visit.events().await;
        while visit.write(": still here\n\n".repeat(1000)).await {
            tokio::task::yield_now().await;
        }
    };
    let client = client(|options| options.timeout(Duration::from_secs(1)), answer).await;
    assert!(matches!(call(&client).await.unwrap(), Err(CallError::Timeout(_))));
}

pub(crate) async fn events_for_other_requests() {
    let answer = async |mut visit: Visit| {
        visit.events().await;
        let other = json!({"jsonrpc": "2.0", "id": visit.id() + 1, "result": good()});
        for _ in 0..10_000 {
            visit.write(format!("data: {other}\n\ndata: garbage\n\nevent: odd\ndata: {{}}\n\n")).await;
        }
        let own = json!({"jsonrpc": "2.0", "id": visit.id(), "result": good()});
        visit.write(format!("data: {own}\n\n")).await;
    };
    let client = client(|options| options, answer).await;
    assert_eq!(call(&client).await.unwrap().unwrap().to_text(), "good");
}

pub(crate) async fn html() {
    let answer = async |mut visit: Visit| visit.respond("200 OK", "content-type: text/html\r\n", "<p>Please log in").await;
    let client = client(|options| options, answer).await;
    assert!(invalid(call(&client).await.unwrap()).contains("text/html"));
}

pub(crate) async fn accepted_but_not_answered() {
    let client = client(|options| options, async |mut visit: Visit| visit.respond("202 Accepted", "", "").await).await;
    assert!(invalid(call(&client).await.unwrap()).contains("content type"));
}

pub(crate) async fn an_answer_to_another_request() {
    let answer = async |mut visit: Visit| {
        let body = json!({"jsonrpc": "2.0", "id": visit.id() + 1, "result": good()}).to_string();
        visit.respond("200 OK", "content-type: application/json\r\n", &body).await;
    };
    let client = client(|options| options, answer).await;
    assert!(invalid(call(&client).await.unwrap()).contains("does not answer"));
}

pub(crate) async fn a_compressed_bomb() {
    let answer = async |mut visit: Visit| {
        let headers = "content-type: application/json\r\ncontent-encoding: gzip\r\n";
        visit.respond("200 OK", headers, "\u{1f}\u{8b}bomb").await;
    };
    let client = client(|options| options, answer).await;
    // Never decompressed: the client does not ask for compression.
    assert!(invalid(call(&client).await.unwrap()).contains("does not answer"));
}

pub(crate) async fn an_error_page_without_end() {
    let answer = async |mut visit: Visit| {
        visit.write("HTTP/1.1 500 Oops\r\nconnection: close\r\n\r\n").await;
        while visit.write(vec![b'x'; 64 << 10]).await {}
    };
    let client = client(|options| options, answer).await;
    let error = call(&client).await.unwrap().unwrap_err();
    assert!(error.to_string().contains("500") && error.to_string().len() < 1000, "{error}");
}

pub(crate) async fn headers_without_end() {
    let answer = async |mut visit: Visit| {
        visit.write("HTTP/1.1 200 OK\r\n").await;
        while visit.write(format!("x-{}: y\r\n", "x".repeat(1000))).await {}
    };
    let client = client(|options| options, answer).await;
    assert!(matches!(call(&client).await.unwrap(), Err(CallError::Lost { .. })));
}

pub(crate) async fn a_session_that_is_always_forgotten() {
    let address = serve(async |mut visit: Visit| {
        if visit.is("initialize") {
            let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
            visit.json("mcp-session-id: s\r\n", result).await;
        } else if visit.is("notifications/initialized") {
            visit.respond("202 Accepted", "", "").await;
        } else if visit.head.starts_with("POST") {
            visit.respond("404 Not Found", "", "").await;
        } else {
            visit.respond("405 Method Not Allowed", "", "").await;
        }
    })
    .await;
    let recovery = Recovery::default().attempts(3).first_delay(Duration::from_millis(1));
    let options = Client::http(format!("http://{address}/mcp")).revision(Revision::V2025_11_25).recovery(recovery);
    let client = options.await.unwrap();
    let error = call(&client).await.unwrap().unwrap_err();
    assert!(error.not_begun(), "{error:?}");
}

pub(crate) async fn a_session_id_of_garbage() {
    let address = serve(async |mut visit: Visit| {
        if visit.is("initialize") {
            let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
            visit.json(&format!("mcp-session-id: {}\r\n", "é\u{80}".repeat(100)), result).await;
        } else if visit.is("tools/call") {
            visit.json("", good()).await;
        } else {
            visit.respond("202 Accepted", "", "").await;
        }
    })
    .await;
    let client = Client::http(format!("http://{address}/mcp")).revision(Revision::V2025_11_25).await.unwrap();
    assert_eq!(call(&client).await.unwrap().unwrap().to_text(), "good");
}

pub(crate) async fn a_refusal_without_a_challenge() {
    for status in ["401 Unauthorized", "403 Forbidden"] {
        let client = client(
            |options| options.bearer("secret"),
            async move |mut visit: Visit| {
                assert!(visit.head.contains("authorization: Bearer secret"), "{}", visit.head);
                visit.respond(status, "", "").await;
            },
        )
        .await;
        let error = call(&client).await.unwrap().unwrap_err();
        assert!(error.to_string().contains(&status[..3]) && !error.to_string().contains("secret"), "{error}");
    }
}

pub(crate) async fn an_event_stream_that_ends_at_once() {
    let client = client(|options| options, async |mut visit: Visit| visit.events().await).await;
    let error = call(&client).await.unwrap().unwrap_err();
    assert!(matches!(error, CallError::Lost { begun: true, .. }), "{error:?}");
}

pub(crate) async fn a_stream_that_is_resumed_again_and_again() {
    let visits = Arc::new(AtomicUsize::new(0));
    let seen = visits.clone();
    let address = serve(move |mut visit: Visit| {
        let seen = seen.clone();
        async move {
            if visit.is("initialize") {
                let result = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
                visit.json("mcp-session-id: s\r\n", result).await;
            } else if visit.is("tools/call") || visit.head.contains("last-event-id") {
                // Each stream has a new event, and asks the client to come back at once.
                let number = seen.fetch_add(1, Ordering::SeqCst);
                visit.events().await;
                visit.write(format!("id: {number}\nretry: 0\ndata: {{}}\n\n")).await;
            } else if visit.is("notifications/initialized") {
                visit.respond("202 Accepted", "", "").await;
            } else {
                visit.respond("405 Method Not Allowed", "", "").await;
            }
        }
    })
    .await;
    let options = Client::http(format!("http://{address}/mcp")).revision(Revision::V2025_11_25);
    let client = options.timeout(Duration::from_secs(1)).await.unwrap();
    assert!(matches!(call(&client).await.unwrap(), Err(CallError::Timeout(_))));
    let visits = visits.load(Ordering::SeqCst);
    assert!((2..=25).contains(&visits), "{visits} requests in a second");
}

pub(crate) async fn messages_at_another_origin() {
    for url in ["http://127.0.0.1:1/post", "//example.com/post", "https://example.com/", "http://", "file:///etc/passwd"] {
        let address = serve(move |mut visit: Visit| async move {
            visit.events().await;
            visit.write(format!("event: endpoint\ndata: {url}\n\n")).await;
            std::future::pending().await
        })
        .await;
        let error = Client::sse(format!("http://{address}/sse")).await.unwrap_err();
        assert!(matches!(error, ConnectError::Invalid(_)), "{url}: {error}");
    }
}

pub(crate) async fn no_address_for_messages() {
    let address = serve(async |mut visit: Visit| {
        visit.events().await;
        while visit.write("data: {}\n\n").await {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    let options = Client::sse(format!("http://{address}/sse")).connect_timeout(Duration::from_millis(500));
    assert!(matches!(options.await.unwrap_err(), ConnectError::Timeout(_)));
}
