//! The HTTP interface.

use mcp_agent::event::Event;
use mcp_agent::random_uuid;
use mcp_agent_history::History;
use mcp_agent_test::{Script, ScriptedCli};
use mcp_agent_web::{Access, Decoder, Hub, HubBuilder, Transcript};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use crate::support::{TIMEOUT, hub_with, turn};

/// A hub that listens on a port of this machine.
struct Site {
    url: String,
    token: String,
    client: Client,
    cli: ScriptedCli,
    hub: Hub,
    server: AbortHandle,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Site {
    async fn start(script: Script, options: impl FnOnce(HubBuilder) -> HubBuilder) -> Site {
        Self::start_at(TcpListener::bind("127.0.0.1:0").await.unwrap(), script, options).await
    }

    async fn start_at(listener: TcpListener, script: Script, options: impl FnOnce(HubBuilder) -> HubBuilder) -> Site {
        let (hub, cli) = hub_with(script, options);
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let app = axum::Router::new().nest("/agent", hub.router());
        let server = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() }).abort_handle();
        let token = hub.token().unwrap_or_default().to_owned();
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build().unwrap();
        Site { url, token, client, cli, hub, server }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token)
    }

    async fn command(&self, chat: &str, command: Value) -> (StatusCode, Value) {
        let request = self.request(Method::POST, &format!("/chats/{chat}/commands"));
        let response = request.header("content-type", "application/json").body(command.to_string()).send().await.unwrap();
        (response.status(), serde_json::from_str(&response.text().await.unwrap()).unwrap())
    }

    async fn prompt(&self, chat: &str) {
        let (status, _) = self.command(chat, json!({"command": "prompt", "id": random_uuid(), "text": "Hello"})).await;
        assert_eq!(status, StatusCode::ACCEPTED);
    }

    /// Watches as an `EventSource` does, and disconnects after `count` events. Returns the events and the last id.
    async fn watch(&self, chat: &str, after: Option<&str>, count: usize) -> (Vec<Event>, Option<String>) {
        let mut request = self.request(Method::GET, &format!("/chats/{chat}/events"));
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        let mut response = request.send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store, no-transform");
        let (mut decoder, mut events) = (Decoder::default(), Vec::new());
        // One byte after the other, so that the decoder stops exactly after the last event that is wanted.
        while let Some(chunk) = response.chunk().await.unwrap() {
            for byte in chunk {
                events.extend(decoder.feed(&[byte]).unwrap());
                if events.len() == count {
                    return (events, decoder.last_id().map(str::to_owned));
                }
            }
        }
        (events, decoder.last_id().map(str::to_owned))
    }
}

fn followed(events: &[Event]) -> Transcript {
    let mut transcript = Transcript::default();
    events.iter().for_each(|event| transcript.follow(event).unwrap());
    transcript
}

#[tokio::test]
async fn a_client_that_is_cut_a_hundred_times_starts_no_second_run_and_misses_no_event() {
    let texts: Vec<String> = (0..200).map(|number| number.to_string()).collect();
    let script = Script::new().initialize().then(turn(texts.iter().map(String::as_str)));
    let site = Site::start(script, |hub| hub).await;
    let chat = random_uuid();
    site.prompt(&chat).await;
    let (mut transcript, mut last, mut connections) = (Transcript::default(), None::<String>, 0);
    while transcript.items.len() < 201 || transcript.is_busy {
        let (events, id) = site.watch(&chat, last.as_deref(), 2).await;
        assert_eq!(events.len(), 2);
        events.iter().for_each(|event| transcript.follow(event).unwrap());
        (last, connections) = (id, connections + 1);
    }
    let said: Vec<&str> = transcript.items.iter().skip(1).map(|item| item.text.as_str()).collect();
    assert_eq!(said, texts);
    assert!(connections >= 100, "{connections}");
    assert_eq!(site.cli.invocations().len(), 1);
}

#[tokio::test]
async fn after_the_end_of_a_chat_the_answer_is_204() {
    let site = Site::start(Script::new().initialize().then(turn(["a"])), |hub| hub).await;
    let chat = random_uuid();
    site.prompt(&chat).await;
    site.command(&chat, json!({"command": "end"})).await;
    let (events, last) = site.watch(&chat, None, usize::MAX).await;
    assert!(followed(&events).is_ended);
    let again = site.request(Method::GET, &format!("/chats/{chat}/events")).header("last-event-id", last.unwrap());
    assert_eq!(again.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    // One that comes after the end still sees everything.
    let (late, _) = site.watch(&chat, None, usize::MAX).await;
    assert_eq!(followed(&late), followed(&events));
    let (status, body) = site.command(&chat, json!({"command": "prompt", "id": random_uuid(), "text": "x"})).await;
    assert_eq!((status, body["error"].as_str().unwrap()), (StatusCode::GONE, "the chat has ended: start another one"));
}

#[tokio::test]
async fn a_caller_without_the_token_and_a_foreign_page_get_nothing() {
    let site = Site::start(Script::new().initialize().then(turn(["a"])), |hub| hub).await;
    let chat = random_uuid();
    let prompt = json!({"command": "prompt", "id": random_uuid(), "text": "x"}).to_string();
    let paths = [
        (Method::GET, format!("/chats/{chat}/events")),
        (Method::GET, "/sessions".to_owned()),
        (Method::POST, format!("/chats/{chat}/commands")),
    ];
    for (method, path) in paths {
        let request = || {
            let request = site.client.request(method.clone(), format!("{}{path}", site.url));
            request.header("content-type", "application/json").body(prompt.clone())
        };
        let right = || request().bearer_auth(&site.token);
        for (denied, status) in [
            (request(), StatusCode::UNAUTHORIZED),
            (request().bearer_auth("wrong"), StatusCode::UNAUTHORIZED),
            (request().header("cookie", "mcp_agent_token=wrong"), StatusCode::UNAUTHORIZED),
            (right().header("origin", "https://evil.example.com"), StatusCode::FORBIDDEN),
            (right().header("origin", "http://127.0.0.1:1"), StatusCode::FORBIDDEN),
            (right().header("sec-fetch-site", "cross-site"), StatusCode::FORBIDDEN),
            (right().header("host", "evil.example.com"), StatusCode::FORBIDDEN),
        ] {
            let response = denied.send().await.unwrap();
            assert_eq!(response.status(), status, "{method} {path}");
            let body = response.text().await.unwrap();
            assert!(!body.contains(&site.token) && !body.contains("event"), "{body}");
        }
    }
    assert_eq!(site.cli.invocations().len(), 0);
    let preflight = site.client.request(Method::OPTIONS, format!("{}/sessions", site.url));
    let preflight = preflight.header("origin", "https://evil.example.com").send().await.unwrap();
    assert!(preflight.headers().get("access-control-allow-origin").is_none());
}

#[tokio::test]
async fn the_login_stores_the_token_in_a_cookie_of_this_site() {
    let site = Site::start(Script::new().initialize().then(turn(["a"])), |hub| hub).await;
    let login = |token: &str| site.client.get(format!("{}/login?token={token}", site.url)).send();
    let response = login(&site.token).await.unwrap();
    assert_eq!((response.status(), &response.headers()["location"]), (StatusCode::SEE_OTHER, &"/".parse().unwrap()));
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.ends_with("; Path=/agent/; HttpOnly; SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let listed = site.client.get(format!("{}/sessions", site.url)).header("cookie", pair).send().await.unwrap();
    assert_eq!(listed.status(), StatusCode::OK);
    for wrong in ["", "wrong"] {
        let response = login(wrong).await.unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        assert!(response.headers().get("set-cookie").is_none());
    }
}

#[tokio::test]
async fn a_function_of_the_program_decides_who_may_use_which_chat() {
    let (own, other) = (random_uuid(), random_uuid());
    let allowed = own.clone();
    let access = Access::by(move |caller| {
        let allowed = allowed.clone();
        async move { caller.headers.contains_key("x-user") && caller.chat.as_deref() == Some(&allowed) }
    });
    let site = Site::start(Script::new().initialize().then(turn(["a"])), |hub| hub.access(access)).await;
    assert_eq!(site.hub.token(), None);
    let status = async |path: String, user: Option<&str>| {
        let request = site.client.post(format!("{}{path}", site.url)).header("content-type", "application/json");
        let request = user.iter().fold(request, |request, user| request.header("x-user", *user));
        let prompt = json!({"command": "prompt", "id": random_uuid(), "text": "x"});
        request.body(prompt.to_string()).send().await.unwrap().status()
    };
    assert_eq!(status(format!("/chats/{own}/commands"), Some("ada")).await, StatusCode::ACCEPTED);
    assert_eq!(status(format!("/chats/{own}/commands"), None).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(format!("/chats/{other}/commands"), Some("ada")).await, StatusCode::UNAUTHORIZED);
    assert_eq!(
        site.client.get(format!("{}/login?token=", site.url)).send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn requests_that_are_not_valid_are_explained() {
    let site = Site::start(Script::new().initialize().then(turn(["a"])), |hub| hub).await;
    let chat = random_uuid();
    for (chat, command, text) in [
        ("not-a-uuid", json!({"command": "interrupt"}), "not a UUID"),
        (&*chat, json!({"command": "prompt", "id": "1", "text": "x"}), "not a UUID"),
        (&*chat, json!({"command": "prompt", "id": random_uuid(), "text": " "}), "empty"),
        (&*chat, json!({"command": "prompt", "id": random_uuid(), "text": "x".repeat(2 << 20)}), "1 MiB"),
        (&*chat, json!({"command": "dance"}), "not a command"),
        (&*chat, json!({"command": "mode", "mode": "bypassPermissions"}), "cannot be set"),
    ] {
        let (status, body) = site.command(chat, command).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(body["error"].as_str().unwrap().contains(text), "{body}");
    }
    assert_eq!(site.command(&chat, json!({"command": "interrupt"})).await.0, StatusCode::CONFLICT);
    let form = site.request(Method::POST, &format!("/chats/{chat}/commands")).header("content-type", "text/plain");
    assert_eq!(form.body("{}").send().await.unwrap().status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(site.cli.invocations().len(), 0);
}

#[tokio::test]
async fn there_is_a_limit_of_watchers() {
    let site = Site::start(Script::new().initialize().then(turn(["a"])), |hub| hub.max_watchers(2)).await;
    let chat = random_uuid();
    let watch = || site.request(Method::GET, &format!("/chats/{chat}/events")).send();
    let (one, two) = (watch().await.unwrap(), watch().await.unwrap());
    assert_eq!((one.status(), two.status()), (StatusCode::OK, StatusCode::OK));
    assert_eq!(watch().await.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
    drop(one);
    // The server notices the lost connection after some time.
    while watch().await.unwrap().status() != StatusCode::OK {
        tokio::task::yield_now().await;
    }
    drop(two);
}

#[tokio::test]
async fn serve_listens_at_the_address_and_requires_the_token() {
    let (hub, _) = hub_with(Script::new().initialize().then(turn(["a"])), |hub| hub);
    let address = {
        // The port is free again when the listener is dropped.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let server = tokio::spawn(hub.clone().serve(address));
    let request = || Client::new().get(format!("http://{address}/agent/sessions")).timeout(TIMEOUT);
    let allowed = loop {
        match request().bearer_auth(hub.token().unwrap()).send().await {
            Err(error) if error.is_connect() => tokio::task::yield_now().await,
            response => break response.unwrap(),
        }
    };
    assert_eq!(allowed.status(), StatusCode::OK);
    assert_eq!(request().send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
    server.abort();
}

#[tokio::test]
async fn a_client_goes_on_after_a_restart_at_the_same_address_with_the_same_token() {
    let folder = tempfile::tempdir().unwrap();
    let options = |hub: HubBuilder| hub.access(Access::token("secret")).history(History::at(folder.path()), "/code");
    let script = || Script::new().initialize().then(turn(["a"]));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let chat = random_uuid();
    let before = Site::start_at(listener, script(), options).await;
    before.prompt(&chat).await;
    let (_, last) = before.watch(&chat, None, 4).await;
    before.hub.shutdown().await;
    drop(before);

    // The CLI has stored the conversation.
    let project = folder.path().join("projects/-code");
    std::fs::create_dir_all(&project).unwrap();
    let line = json!({"type": "user", "uuid": "1", "sessionId": chat, "cwd": "/code", "timestamp": "2026-11-01T00:00:00Z",
                      "message": {"role": "user", "content": "Hello"}});
    std::fs::write(project.join(format!("{chat}.jsonl")), format!("{line}\n")).unwrap();
    let listener = loop {
        match TcpListener::bind(address).await {
            Ok(listener) => break listener,
            // The old listener is closed when its task has ended.
            Err(_) => tokio::task::yield_now().await,
        }
    };
    let after = Site::start_at(listener, script(), options).await;
    let (shown, _) = after.watch(&chat, last.as_deref(), 1).await;
    assert_eq!((shown[0].name.as_str(), followed(&shown).items[0].text.as_str()), ("chat.snapshot", "Hello"));
    after.prompt(&chat).await;
    let (all, _) = after.watch(&chat, last.as_deref(), 5).await;
    assert_eq!(followed(&all).last_text(), Some("a"));
    assert!(format!("{:?}", after.cli.invocations()).contains("--resume"));
}
