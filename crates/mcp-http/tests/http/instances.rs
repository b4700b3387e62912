//! Several instances of a server that share a store of sessions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Method;
use mcp_core::Principal;
use mcp_core::serde_json::{self, json};
use mcp_core::transport::{BoxFuture, SessionRecord, SessionStore, SessionStoreError};
use mcp_http::{Endpoint, Http};

use crate::client::Post;
use crate::fixture;
use crate::handshake::{hello, initialize, request};

/// A store that keeps sessions as text.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Store>>);

#[derive(Default)]
struct Store {
    sessions: HashMap<String, String>,
    saved: usize,
    away: bool,
}

impl Shared {
    fn with<T: Send + 'static>(&self, work: impl FnOnce(&mut Store) -> T) -> BoxFuture<Result<T, SessionStoreError>> {
        let mut store = self.0.lock().unwrap();
        let outcome = if store.away { Err("away".into()) } else { Ok(work(&mut store)) };
        Box::pin(std::future::ready(outcome))
    }
}

impl SessionStore for Shared {
    fn save(&self, name: &str, record: &SessionRecord, _: Duration) -> BoxFuture<Result<(), SessionStoreError>> {
        self.with(|store| {
            store.saved += 1;
            store.sessions.insert(name.to_owned(), serde_json::to_string(record).unwrap());
        })
    }

    fn load(&self, name: &str, _: Duration) -> BoxFuture<Result<Option<SessionRecord>, SessionStoreError>> {
        self.with(|store| store.sessions.get(name).map(|text| serde_json::from_str(text).unwrap()))
    }

    fn remove(&self, name: &str) -> BoxFuture<Result<bool, SessionStoreError>> {
        self.with(|store| store.sessions.remove(name).is_some())
    }
}

fn instances() -> (Shared, [Endpoint; 3]) {
    let store = Shared::default();
    let instance = || Http::new().session_store(store.clone()).endpoint(fixture::server().0).unwrap();
    (store.clone(), [instance(), instance(), instance()])
}

#[tokio::test]
async fn every_instance_serves_every_session_until_one_of_them_ends_it() {
    let (store, [one, two, three]) = instances();
    let session = initialize(&one, "2025-06-18").await;
    let list = || request(&session, json!(1), "tools/list", json!({}));
    for instance in [&two, &three, &one] {
        assert_eq!(list().send(instance).await.json()["result"]["tools"][0]["name"], "echo");
    }
    assert_eq!(store.0.lock().unwrap().saved, 1, "a session that has not changed is not saved again");

    let level = request(&session, json!(2), "logging/setLevel", json!({"level": "emergency"}));
    assert_eq!(level.send(&two).await.status, 200);
    let chatty = request(&session, json!(3), "tools/call", json!({"name": "chatty"}));
    let quiet = chatty.send(&one).await;
    assert_eq!(
        quiet.json()["result"]["content"][0]["text"],
        "done",
        "the log level that was set on one instance holds on another"
    );

    assert_eq!(list().method(Method::DELETE).send(&three).await.status, 204);
    for instance in [&one, &two, &three] {
        assert_eq!(list().send(instance).await.status, 404);
    }
}

#[tokio::test]
async fn a_session_belongs_to_its_owner_on_every_instance() {
    let (_, [one, two, _]) = instances();
    let held_by = |mut post: Post, name: &str| {
        post.0.extensions.insert(Principal::new(name));
        post
    };
    let opened = held_by(hello("2025-11-25"), "ada").send(&one).await;
    let session = opened.headers["mcp-session-id"].to_str().unwrap();
    let list = || request(session, json!(1), "tools/list", json!({}));
    assert_eq!(list().send(&two).await.status, 404);
    assert_eq!(held_by(list(), "bob").send(&two).await.status, 404);
    assert_eq!(held_by(list(), "ada").send(&two).await.status, 200);
    assert_eq!(held_by(list().method(Method::DELETE), "bob").send(&two).await.status, 404);
    assert_eq!(held_by(list(), "ada").send(&one).await.status, 200);
}

#[tokio::test]
async fn if_the_store_fails_sessions_get_503_and_stateless_requests_are_served() {
    let (store, [one, ..]) = instances();
    let session = initialize(&one, "2025-06-18").await;
    store.0.lock().unwrap().away = true;
    assert_eq!(request(&session, json!(1), "tools/list", json!({})).send(&one).await.status, 503);
    assert_eq!(hello("2025-06-18").send(&one).await.status, 503);
    assert_eq!(Post::stateless("tools/list", json!({})).send(&one).await.status, 200);
}
