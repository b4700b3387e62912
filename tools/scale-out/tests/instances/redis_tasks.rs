//! Stores tasks in a real Redis.

use std::time::{SystemTime, UNIX_EPOCH};

use mcp_core::serde_json::{self, json};
use mcp_core::task::{Task, TaskStore};

use crate::services::Services;

fn task(id: &str, owner: &str, ttl: u64, result: Option<&str>) -> Task {
    let now = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    let status = if result.is_some() { "completed" } else { "working" };
    let outcome = result.map(|result| json!({"result": {"content": [{"type": "text", "text": result}]}}));
    let text = json!({
        "id": id, "owner": owner, "status": status, "message": null, "created": now, "updated": now, "ttl": ttl,
        "poll_interval": 500, "questions": {}, "outcome": outcome,
    });
    serde_json::from_str(&text.to_string()).unwrap()
}

#[tokio::test]
async fn tasks_are_stored_for_their_owner_until_they_expire() {
    let Some(services) = Services::start().await else { return };
    let (one, two) = (services.redis().await, services.redis().await);
    for (id, owner) in [("a", "ada"), ("b", "ada"), ("c", "bob"), ("d", "")] {
        one.save(task(id, owner, 60_000, None)).await.unwrap();
    }
    one.save(task("a", "ada", 60_000, Some("done"))).await.unwrap();
    let loaded = two.load("a").await.unwrap().unwrap();
    assert_eq!(serde_json::to_value(&loaded).unwrap()["outcome"]["result"]["content"][0]["text"], "done");
    let ids = async |owner: &str| {
        let mut ids: Vec<String> = two.list(owner).await.unwrap().into_iter().map(|task| task.id).collect();
        ids.sort();
        ids
    };
    assert_eq!((ids("ada").await, ids("bob").await), (vec!["a".to_owned(), "b".into()], vec!["c".to_owned()]));
    assert!(ids("").await.is_empty() && two.load("d").await.unwrap().is_some());
    two.remove("b").await.unwrap();
    assert_eq!(ids("ada").await, ["a"]);

    one.save(task("e", "ada", 1, None)).await.unwrap();
    while two.load("e").await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(ids("ada").await, ["a"]);
}
