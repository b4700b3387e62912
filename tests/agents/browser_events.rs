//! The page of the example `browser`, with a server of the test instead of a hub.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::chromium::Browser;

const FILES: [(&str, &str, &str); 6] = [
    ("/", "text/html", include_str!("../../examples/browser/page.html")),
    ("/page.css", "text/css", include_str!("../../examples/browser/page.css")),
    ("/chat.js", "text/javascript", include_str!("../../examples/browser/chat.js")),
    ("/items.js", "text/javascript", include_str!("../../examples/browser/items.js")),
    ("/asks.js", "text/javascript", include_str!("../../examples/browser/asks.js")),
    ("/markdown.js", "text/javascript", include_str!("../../examples/browser/markdown.js")),
];

/// Serves the page. `events` answers the requests for events; it is given the number of the request. Returns the address.
async fn serve(events: impl Fn(usize) -> Response + Clone + Send + Sync + 'static) -> String {
    let page = FILES.into_iter().fold(Router::new(), |router, (path, kind, text)| {
        router.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], text) }))
    });
    let count = Arc::new(AtomicUsize::new(0));
    let events = move || async move { events(count.fetch_add(1, Ordering::Relaxed)) };
    let app = page
        .route("/agent/chats/{chat}/events", get(events))
        .route("/agent/sessions", get(async || json!({"sessions": []}).to_string()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    address
}

/// Returns a stream with these events. It ends after them, and the browser connects again.
fn stream(events: &[(&str, Value)]) -> Response {
    let line = |(name, raw): &(&str, Value)| {
        let event = json!({"event": name, "data": {"sessionId": null, "timestamp": 1, "metadata": {}, "raw": raw}});
        format!("data: {event}\n\n")
    };
    let body: String = ["retry: 10\n\n".to_owned()].into_iter().chain(events.iter().map(line)).collect();
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_connects_again_after_the_server_was_not_available() {
    let Some(browser) = tokio::task::spawn_blocking(Browser::or_skip).await.unwrap() else { return };
    let said = |text: &str| {
        let message = json!({"content": [{"type": "text", "text": text}]});
        ("claude.assistant", json!({"type": "assistant", "uuid": text, "message": message}))
    };
    let address = serve(move |number| {
        let before = [
            ("chat.prompt", json!({"type": "prompt", "id": "1", "text": "Hello"})),
            said("one"),
            ("chat.dropped", json!({"type": "dropped", "partials": 7})),
        ];
        match number {
            // An `EventSource` does not reconnect after status 503. The page must open a new one.
            0 | 3 => StatusCode::SERVICE_UNAVAILABLE.into_response(),
            1 | 2 => stream(&before),
            4 | 5 => stream(&[&before[..], &[said("two")]].concat()),
            _ => StatusCode::NO_CONTENT.into_response(),
        }
    });
    let all = |selector: &str| json!({"see": format!("[...document.querySelectorAll('{selector}')].map(node => node.textContent)")});
    let steps = [
        json!({"goto": address.await}),
        json!({"fill": ["#prompt", "half a message"]}),
        json!({"wait": "document.getElementById('connection').textContent === 'This chat has ended.'"}),
        all(".item.prompt"),
        all(".item.text"),
        all(".item.notice"),
        json!({"see": "document.getElementById('prompt').value"}),
    ];
    let seen = tokio::task::spawn_blocking(move || browser.drive(&steps)).await.unwrap();
    assert_eq!(seen[..2], [json!(["Hello"]), json!(["one", "two"])], "nothing is shown twice");
    assert!(seen[2][0].as_str().unwrap().starts_with("7 partial messages were left out"), "{}", seen[2]);
    assert_eq!((seen[2].as_array().unwrap().len(), &seen[3]), (1, &json!("half a message")));
}
