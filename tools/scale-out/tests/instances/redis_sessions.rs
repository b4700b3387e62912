//! Stores sessions in a real Redis.

use std::time::Duration;

use mcp_core::serde_json::{self, json};
use mcp_core::transport::{SessionRecord, SessionStore};

use crate::services::Services;

const IDLE: Duration = Duration::from_secs(60);

fn record(owner: &str) -> SessionRecord {
    serde_json::from_value(json!({
        "owner": owner, "revision": "2025-11-25", "client": {"name": "c", "version": "1"},
        "capabilities": {"elicitation": {"form": {}}}, "log_level": "error", "subscribed": ["notes://1"],
    }))
    .unwrap()
}

#[tokio::test]
async fn a_session_is_stored_until_it_is_removed() {
    let Some(services) = Services::start().await else { return };
    let (one, two) = (services.redis().await, services.redis().await);
    assert_eq!(one.load("a", IDLE).await.unwrap(), None);
    one.save("a", &record("ada"), IDLE).await.unwrap();
    assert_eq!(two.load("a", IDLE).await.unwrap(), Some(record("ada")));
    two.save("a", &record("bob"), IDLE).await.unwrap();
    assert_eq!(one.load("a", IDLE).await.unwrap(), Some(record("bob")));
    assert_eq!(services.redis().await.prefix("other").load("a", IDLE).await.unwrap(), None);
    assert!(two.remove("a").await.unwrap() && !one.remove("a").await.unwrap());
    assert_eq!(one.load("a", IDLE).await.unwrap(), None);
}

#[tokio::test]
async fn a_session_expires_unless_it_is_used() {
    let Some(services) = Services::start().await else { return };
    let store = services.redis().await;
    let mut redis = redis::Client::open(services.redis_address()).unwrap().get_multiplexed_async_connection().await.unwrap();
    let mut left = async || -> i64 { redis::cmd("PTTL").arg("mcp:session:a").query_async(&mut redis).await.unwrap() };
    store.save("a", &record("ada"), Duration::from_secs(30)).await.unwrap();
    assert!((1..=30_000).contains(&left().await));
    assert!(store.load("a", Duration::from_secs(3000)).await.unwrap().is_some());
    assert!(left().await > 30_000);
    store.save("a", &record("ada"), Duration::from_millis(1)).await.unwrap();
    while left().await != -2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.load("a", IDLE).await.unwrap(), None);
}

#[tokio::test]
async fn an_unreachable_store_is_an_error_and_not_an_absent_session() {
    let Some(mut services) = Services::start().await else { return };
    let store = services.redis().await;
    store.save("a", &record("ada"), IDLE).await.unwrap();
    services.end_redis().await;
    assert!(store.load("a", IDLE).await.is_err());
}
