//! Watchers see the same session, whenever they come.

use mcp_agent::random_uuid;
use mcp_agent_test::Script;
use mcp_agent_web::Command;
use serde_json::json;

use crate::support::{hub, id, names, prompt, raw, transcript, turn, until};

#[tokio::test]
async fn two_watchers_and_a_late_one_see_the_same_session() {
    let script = Script::new().initialize().then(turn(["one", "two"])).then(turn(["three"]));
    let (hub, _) = hub(script);
    let chat = random_uuid();
    let mut first = hub.watch(&chat, None).await.unwrap();
    let mut second = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let mut seen = [until(&mut first, "claude.turn_end").await, until(&mut second, "claude.turn_end").await];
    hub.send(&chat, prompt("Again")).await.unwrap();
    seen[0].extend(until(&mut first, "claude.turn_end").await);
    seen[1].extend(until(&mut second, "claude.turn_end").await);
    assert_eq!(seen[0], seen[1]);

    let mut late = hub.watch(&chat, None).await.unwrap();
    let mut seen_late = until(&mut late, "claude.turn_end").await;
    seen_late.extend(until(&mut late, "claude.turn_end").await);
    assert_eq!(transcript(&seen_late), transcript(&seen[0]));
    let items = transcript(&seen_late).items;
    let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["Hello", "one", "two", "Again", "three"]);
}

#[tokio::test]
async fn a_watcher_continues_after_the_last_event_that_it_has_seen() {
    let (hub, cli) = hub(Script::new().initialize().then(turn(["a", "b", "c", "d"])));
    let chat = random_uuid();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let mut whole = hub.watch(&chat, None).await.unwrap();
    let all = until(&mut whole, "claude.turn_end").await;
    // One connection for each event.
    let mut seen = Vec::new();
    while seen.len() < all.len() {
        let mut watch = hub.watch(&chat, seen.last().map(id)).await.unwrap();
        seen.push(watch.next().await.unwrap().unwrap());
    }
    assert_eq!(seen, all);
    assert_eq!(cli.invocations().len(), 1);
}

#[tokio::test]
async fn an_id_that_is_not_known_starts_from_the_beginning() {
    let (hub, _) = hub(Script::new().initialize().then(turn(["a"])));
    let chat = random_uuid();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let all = until(&mut hub.watch(&chat, None).await.unwrap(), "claude.turn_end").await;
    for unknown in ["", "-", "7", "other-1", &format!("{}9999", id(&all[0])), "-1", "\u{e4}-1"] {
        let mut watch = hub.watch(&chat, Some(unknown)).await.unwrap();
        assert_eq!(until(&mut watch, "claude.turn_end").await, all, "{unknown}");
    }
}

#[tokio::test]
async fn the_stream_of_a_chat_that_has_ended_ends() {
    let (hub, cli) = hub(Script::new().initialize().then(turn(["a"])));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    until(&mut watch, "claude.turn_end").await;
    hub.send(&chat, Command::End).await.unwrap();
    let rest = until(&mut watch, "chat.end").await;
    assert_eq!(watch.next().await.unwrap(), None);
    let after_end = hub.watch(&chat, Some(id(&rest[rest.len() - 1]))).await.unwrap();
    assert!(after_end.is_over().await.unwrap());
    let error = hub.send(&chat, prompt("More")).await.unwrap_err();
    assert!(error.to_string().contains("has ended"), "{error}");
    assert_eq!(cli.invocations().len(), 1);
}

#[tokio::test]
async fn a_turn_that_did_not_begin_ends_too() {
    let (hub, _) = hub(Script::new().initialize().exit(3));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let seen = until(&mut watch, "claude.turn_end").await;
    assert_eq!(names(&seen), ["chat.prompt", "claude.error", "claude.turn_end"]);
    assert_eq!(raw(&seen, "claude.turn_end")["result"], "fail");
    let transcript = transcript(&seen);
    assert!(!transcript.is_busy && transcript.items[1].is_error, "{transcript:?}");
}

#[tokio::test]
async fn drafts_are_visible_while_the_model_writes_and_replaced_by_the_whole_text() {
    let stream = |event: serde_json::Value| json!({"type": "stream_event", "session_id": "s", "event": event});
    let text = |text: &str| {
        stream(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}))
    };
    let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
    let script = Script::new().initialize().prompt().emit(stream(json!({"type": "message_start", "message": {"id": "m"}})));
    let script = script.emit(stream(start)).emit(text("Hel")).emit(text("lo"));
    let script = script.send_request("ask", crate::support::ask("t", "ls")).expect_response("ask").text("Hello!");
    let (hub, _) = hub(script.result("").idle());
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hi")).await.unwrap();
    let mut seen = until(&mut watch, "chat.ask").await;
    let draft = transcript(&seen);
    assert_eq!((draft.items[1].text.as_str(), draft.items[1].is_draft), ("Hello", true));
    let id = raw(&seen, "chat.ask")["id"].as_str().unwrap().to_owned();
    let answer = serde_json::from_value(json!({"decision": "deny"})).unwrap();
    hub.send(&chat, Command::Answer { id, answer }).await.unwrap();
    seen.extend(until(&mut watch, "claude.turn_end").await);
    let whole = transcript(&seen);
    let texts: Vec<_> = whole.items.iter().map(|item| (item.text.as_str(), item.is_draft)).collect();
    assert_eq!(texts, [("Hi", false), ("Hello!", false)]);
}
