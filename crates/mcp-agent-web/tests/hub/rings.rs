//! Bounded memory: slow watchers get a snapshot, and what is kept does not grow with the chat.

use std::fmt::Write as _;

use mcp_agent::random_uuid;
use mcp_agent_test::Script;
use mcp_agent_web::store::MAX_READ;
use mcp_agent_web::{ChatStore as _, MemoryStore, Update};

use crate::support::{hub_with, id, names, prompt, transcript, turn, until};

fn many_texts(count: usize) -> Script {
    let texts: Vec<String> = (0..count).map(|number| format!("text {number}")).collect();
    Script::new().initialize().then(turn(texts.iter().map(String::as_str)))
}

#[tokio::test]
async fn a_watcher_that_is_too_slow_gets_a_snapshot_and_goes_on() {
    let (hub, _) = hub_with(many_texts(200), |hub| hub.ring(20, usize::MAX));
    let chat = random_uuid();
    let mut slow = hub.watch(&chat, None).await.unwrap();
    let mut fast = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let first = slow.next().await.unwrap().unwrap();
    let all = until(&mut fast, "claude.turn_end").await;
    let seen = until(&mut slow, "claude.turn_end").await;
    assert!(names(&seen).contains(&"snapshot".to_owned()), "{:?}", names(&seen));
    let seen: Vec<Update> = std::iter::once(first).chain(seen).collect();
    assert_eq!(transcript(&seen), transcript(&all));

    // One that comes late, or with an id that is no longer kept, gets the snapshot first.
    for after in [None, Some(id(&seen[0]))] {
        let mut late = hub.watch(&chat, after).await.unwrap();
        let seen = until(&mut late, "claude.turn_end").await;
        assert_eq!(names(&seen)[0], "snapshot");
        assert!(seen.len() <= 42, "{}", seen.len());
        assert_eq!(transcript(&seen), transcript(&all));
    }
}

#[tokio::test]
async fn the_ring_is_bounded_in_bytes_too() {
    let long = "x".repeat(10_000);
    let script = Script::new().initialize().then(turn((0..100).map(|_| long.as_str())));
    let (hub, _) = hub_with(script, |hub| hub.ring(usize::MAX, 50_000));
    let chat = random_uuid();
    let mut fast = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    until(&mut fast, "claude.turn_end").await;
    let mut late = hub.watch(&chat, None).await.unwrap();
    let seen = until(&mut late, "claude.turn_end").await;
    assert_eq!(names(&seen)[0], "snapshot");
    assert!(seen.len() <= 12, "{}", seen.len());
}

#[tokio::test]
async fn a_long_result_of_a_tool_is_shortened_in_a_snapshot() {
    let call = r#"{"event":"claude.assistant","data":{"timestamp":1,"raw":{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Read","input":{}}]}}}}"#;
    let mut result = r#"{"event":"claude.user","data":{"timestamp":1,"raw":{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":""#.to_owned();
    write!(result, "{}\"}}]}}}}}}}}", "é".repeat(1_000_000)).unwrap();
    let mut transcript = mcp_agent_web::Transcript::default();
    transcript.feed(&serde_json::from_str(call).unwrap());
    transcript.feed(&serde_json::from_str(&result).unwrap());
    let call = transcript.call("t").unwrap();
    assert!(call.is_done && call.text.len() < 70_000 && call.text.ends_with("more bytes]"), "{}", call.text.len());
}

#[tokio::test]
async fn a_chat_keeps_its_last_items_and_counts_the_others() {
    let mut transcript = mcp_agent_web::Transcript::default();
    for number in 0..2500 {
        let prompt = format!(
            r#"{{"event":"chat.prompt","data":{{"timestamp":1,"raw":{{"id":"{number}","text":"prompt {number}"}}}}}}"#
        );
        transcript.feed(&serde_json::from_str(&prompt).unwrap());
    }
    assert_eq!((transcript.items.len(), transcript.dropped), (2000, 500));
    assert_eq!(transcript.items[0].text, "prompt 500");
}

#[tokio::test]
async fn the_store_in_memory_forgets_the_chats_that_were_used_least_recently() {
    let store = MemoryStore::default().max_chats(3);
    for chat in ["a", "b", "c", "d", "e"] {
        assert!(store.claim(chat, "lease", std::time::Duration::from_secs(60)).await.unwrap());
        store.append(chat, "lease", "{}".into(), false).await.unwrap();
        if chat != "a" {
            store.release(chat, "lease").await.unwrap();
        }
    }
    let mut kept = Vec::new();
    for chat in ["a", "b", "c", "d", "e"] {
        if store.state(chat).await.unwrap().last > 0 {
            kept.push(chat);
        }
    }
    assert_eq!(kept, ["a", "d", "e"], "a chat whose session is open is kept");
}

#[tokio::test]
async fn large_events_are_read_one_after_the_other() {
    let store = MemoryStore::default();
    assert!(store.claim("a", "lease", std::time::Duration::from_secs(60)).await.unwrap());
    for size in [MAX_READ + 1, 10, 10, MAX_READ] {
        store.append("a", "lease", "x".repeat(size).into(), false).await.unwrap();
    }
    let mut pages = Vec::new();
    let mut after = 0;
    while after < 4 {
        let page = store.read("a", after, 32).await.unwrap();
        after += page.len() as u64;
        pages.push(page.len());
    }
    assert_eq!(pages, [1, 2, 1]);
}
