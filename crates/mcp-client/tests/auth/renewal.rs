//! Tokens that are kept, expire and are refreshed.

use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use mcp_client::{AuthorizeError, FileStore, OAuth, StoredTokens, TokenStore};
use serde_json::{Value, json};

use crate::browser::user;
use crate::test_server::World;

/// A store whose contents the test can change.
#[derive(Clone, Debug, Default)]
struct Shelf(Arc<Mutex<Option<Value>>>);

impl TokenStore for Shelf {
    fn load(&self, _: &str) -> Result<Option<StoredTokens>, AuthorizeError> {
        Ok(self.0.lock().unwrap().clone().map(|stored| serde_json::from_value(stored).unwrap()))
    }

    fn save(&self, _: &str, tokens: &StoredTokens) -> Result<(), AuthorizeError> {
        *self.0.lock().unwrap() = Some(serde_json::to_value(tokens).unwrap());
        Ok(())
    }
}

impl Shelf {
    fn set(&self, key: &str, value: Value) {
        self.0.lock().unwrap().as_mut().unwrap()["tokens"][key] = value;
    }

    /// Makes the tokens those of a login before the clock was set back by a day.
    fn set_the_clock_back(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        self.set("issued_at", json!(now + 86_400));
        self.set("expires_at", json!(now + 86_400 + 3600));
    }

    /// Makes the tokens as old as those of an earlier login.
    async fn old(world: &World, expired: bool) -> Shelf {
        let shelf = Shelf::default();
        world.connect(user().store(shelf.clone())).await.unwrap();
        shelf.set("issued_at", json!(1));
        if expired {
            shelf.set("expires_at", json!(2));
        }
        shelf
    }
}

#[tokio::test]
async fn tokens_in_a_file_spare_a_second_login() {
    let (world, folder) = (World::start().await, tempfile::tempdir().unwrap());
    let oauth = || user().store(FileStore::new(folder.path()));
    world.connect(oauth()).await.unwrap();
    world.connect(oauth()).await.unwrap();
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 1));
}

#[tokio::test]
async fn an_expired_token_is_refreshed_once_for_all_calls() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, true).await;
    world.state().discover_needs_token = false;
    world.state().headers.clear();
    let client = world.connect(user().store(shelf.clone())).await.unwrap();
    let calls = (0..8).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.call("look", ()).await.unwrap() })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 2));
    // No request was sent with the expired token.
    let state = world.state();
    assert!(state.headers.iter().flatten().all(|header| state.access.contains_key(&header["Bearer ".len()..])));
    assert_eq!(state.headers.iter().flatten().collect::<std::collections::BTreeSet<_>>().len(), 1, "one token for all");
}

#[tokio::test]
async fn the_new_refresh_token_replaces_the_old_one() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, true).await;
    for _ in 0..3 {
        world.connect(user().store(shelf.clone())).await.unwrap();
        shelf.set("issued_at", json!(1));
        shelf.set("expires_at", json!(2));
    }
    let state = world.state();
    let refreshed: Vec<_> = state.forms.iter().filter_map(|form| form.get("refresh_token")).collect();
    assert_eq!(refreshed.len(), 3);
    assert!(refreshed[0] != refreshed[1] && refreshed[1] != refreshed[2]);
    assert_eq!(state.queries.len(), 1);
}

#[tokio::test]
async fn a_token_that_the_server_refuses_is_refreshed() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, false).await;
    world.state().access.clear();
    world.connect(user().store(shelf)).await.unwrap();
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 2));
}

#[tokio::test]
async fn after_the_clock_was_set_back_a_token_is_refreshed_once() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, false).await;
    shelf.set_the_clock_back();
    let client = world.connect(user().store(shelf)).await.unwrap();
    client.call("look", ()).await.unwrap();
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 2));
}

#[tokio::test]
async fn a_token_that_is_refused_after_the_clock_was_set_back_is_not_taken_for_a_new_one() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, false).await;
    shelf.set_the_clock_back();
    shelf.set("refresh", Value::Null);
    world.state().access.clear();
    world.connect(user().store(shelf)).await.unwrap();
    assert_eq!(world.logins(), 2);
}

// Not on Windows: nothing there is a file system that nobody can write, as /proc is.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn tokens_that_cannot_be_stored_are_used_until_the_program_ends() {
    let world = World::start().await;
    let client = world.connect(user().store(FileStore::new("/proc/self/tokens"))).await.unwrap();
    client.call("look", ()).await.unwrap();
    client.call("look", ()).await.unwrap();
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 1));
}

#[tokio::test]
async fn a_refused_refresh_token_leads_to_a_login() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, true).await;
    world.state().refresh.clear();
    world.connect(user().store(shelf)).await.unwrap();
    assert_eq!((world.logins(), world.count("auth POST /token")), (2, 3));
}

#[tokio::test]
async fn a_token_that_is_refused_at_once_does_not_open_the_browser_for_ever() {
    let world = World::start().await;
    let client = world.connect(user()).await.unwrap();
    world.state().access.clear();
    for _ in 0..3 {
        let error = client.call("look", ()).await.unwrap_err().to_string();
        assert!(error.contains("a moment ago"), "{error}");
    }
    assert_eq!(world.logins(), 1);
}

#[tokio::test]
async fn a_caller_that_gives_up_does_not_lose_the_refreshed_token() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, false).await;
    let client = world.connect(user().store(shelf)).await.unwrap();
    world.state().access.clear();
    world.asked.forget_permits(usize::MAX);
    world.tokens.forget_permits(usize::MAX);
    let call = tokio::spawn({
        let client = client.clone();
        async move { client.call("look", ()).await }
    });
    // The authorization server has the refresh token, and has not answered yet.
    world.asked.acquire().await.unwrap().forget();
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    world.tokens.add_permits(1);
    client.call("look", ()).await.unwrap();
    assert_eq!((world.logins(), world.count("auth POST /token")), (1, 2));
}

#[tokio::test]
async fn tokens_of_another_client_are_not_used() {
    let world = World::start().await;
    let shelf = Shelf::old(&world, false).await;
    world.state().headers.clear();
    let other = mcp_client::RegisteredClient::new("other");
    world.connect(user().client(other).store(shelf)).await.unwrap();
    assert_eq!(world.state().headers[0], None);
    assert_eq!(world.state().queries[1]["client_id"], "other");
}

#[tokio::test]
async fn a_client_without_a_user_gets_a_new_token_when_the_old_one_is_over() {
    let world = World::start().await;
    let shelf = Shelf::default();
    let oauth = || OAuth::client_credentials(mcp_client::RegisteredClient::new("me").secret("s3cret")).store(shelf.clone());
    world.state().metadata = json!({"token_endpoint_auth_methods_supported": ["client_secret_post"]});
    world.connect(oauth()).await.unwrap();
    for (key, value) in [("issued_at", json!(1)), ("expires_at", json!(2)), ("refresh", json!(null))] {
        shelf.set(key, value);
    }
    world.connect(oauth()).await.unwrap();
    let state = world.state();
    assert_eq!(state.forms.iter().filter(|form| form["grant_type"] == "client_credentials").count(), 2);
    assert!(state.forms.iter().all(|form| form["client_secret"] == "s3cret"));
    assert!(!shelf.0.lock().unwrap().as_ref().unwrap().to_string().contains("s3cret"), "the secret is not stored");
}

#[tokio::test]
async fn a_refresh_of_a_registered_client_carries_its_secret() {
    let (world, shelf) = (World::start().await, Shelf::default());
    world.state().metadata = json!({"token_endpoint_auth_methods_supported": ["client_secret_post"]});
    let oauth = || user().client(mcp_client::RegisteredClient::new("me").secret("s3cret")).store(shelf.clone());
    world.connect(oauth()).await.unwrap();
    for (key, value) in [("issued_at", json!(1)), ("expires_at", json!(2))] {
        shelf.set(key, value);
    }
    world.connect(oauth()).await.unwrap();
    let state = world.state();
    assert_eq!((&*state.forms[1]["grant_type"], &*state.forms[1]["client_secret"]), ("refresh_token", "s3cret"));
}
