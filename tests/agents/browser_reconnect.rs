//! An `EventSource` of a real browser whose connection is cut again and again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use mcp_agent::{Agent, random_uuid};
use mcp_agent_test::{Script, ScriptedCli};
use mcp_agent_web::{Command, Hub};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::chromium::Browser;

const PAGE: &str = "<!doctype html><title>x</title><script>
const source = new EventSource('agent/chats/CHAT/events');
window.said = [];
source.onmessage = message => {
  const { event, data } = JSON.parse(message.data);
  if (event === 'chat.snapshot') said = data.raw.items.map(item => item.text);
  if (event === 'claude.assistant') said.push(data.raw.message.content[0].text);
  if (event === 'chat.prompt') said.push(data.raw.text);
};
</script>";

/// Forwards connections to `target`, and cuts each response with events after a few of them, at any byte.
async fn cutting_proxy(listener: TcpListener, target: SocketAddr, cuts: Arc<AtomicUsize>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let cuts = Arc::clone(&cuts);
        tokio::spawn(async move {
            let mut server = TcpStream::connect(target).await.unwrap();
            let mut head = vec![0; 8192];
            let length = client.read(&mut head).await.unwrap_or(0);
            // One request for each connection, so that the limit is that of one response.
            let head = String::from_utf8_lossy(&head[..length]).replace("Connection: keep-alive", "Connection: close");
            server.write_all(head.as_bytes()).await.unwrap();
            if !head.contains("/events") {
                let _ = tokio::io::copy(&mut server, &mut client).await;
                return;
            }
            let limit = 1500 + cuts.fetch_add(1, Ordering::Relaxed) * 37 % 400;
            let _ = tokio::io::copy(&mut server.take(limit as u64), &mut client).await;
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_source_that_is_cut_a_hundred_times_starts_no_second_run_and_misses_no_event() {
    let Some(browser) = tokio::task::spawn_blocking(Browser::or_skip).await.unwrap() else { return };
    let texts: Vec<String> = (0..400).map(|number| format!("text {number}")).collect();
    let script = texts.iter().fold(Script::new().initialize().prompt(), |script, text| script.text(text));
    let cli = ScriptedCli::new(script.result("done").idle());
    let transport = cli.clone();
    let hub = Hub::builder(move |_| Agent::new().transport(transport.clone())).retry(Duration::from_millis(10)).build();

    let chat = random_uuid();
    let page = PAGE.replace("CHAT", &chat);
    let (ending, ended_chat) = (hub.clone(), chat.clone());
    let end = move || async move { ending.send(&ended_chat, Command::End).await.map(drop).unwrap() };
    let app = Router::new().route("/", get(move || async move { Html(page) })).route("/end", get(end));
    let app = app.nest("/agent", hub.router());
    let (listener, proxy) =
        (TcpListener::bind("127.0.0.1:0").await.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let (target, address) = (listener.local_addr().unwrap(), proxy.local_addr().unwrap());
    let cuts = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    tokio::spawn(cutting_proxy(proxy, target, Arc::clone(&cuts)));

    let prompt = Command::Prompt { id: random_uuid(), text: "Count.".to_owned() };
    hub.send(&chat, prompt.clone()).await.unwrap();
    assert!(!hub.send(&chat, prompt).await.unwrap(), "a prompt that is sent again is ignored");
    let steps = [
        json!({"goto": format!("http://{address}/agent/login?token={}", hub.token().unwrap())}),
        json!({"wait": "said.length > 400"}),
        json!({"fetch": format!("http://{target}/end")}),
        // The browser has given up: the answer was 204.
        json!({"wait": "source.readyState === EventSource.CLOSED"}),
        json!({"see": "said"}),
    ];
    let seen = tokio::task::spawn_blocking(move || browser.drive(&steps)).await.unwrap();
    let said: Vec<&str> = seen[0].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(said[1..], texts.iter().map(String::as_str).collect::<Vec<_>>());
    let cuts = cuts.load(Ordering::Relaxed);
    assert!(cuts > 100, "{cuts} connections");
    assert_eq!(cli.invocations().len(), 1);
}
