//! Conversations that the CLI has stored.

use std::fs;

use mcp_agent::random_uuid;
use mcp_agent_history::History;
use mcp_agent_test::Script;
use mcp_agent_web::{ItemKind, Update};
use serde_json::json;

use crate::support::{hub_with, prompt, transcript, turn, until};

#[tokio::test]
async fn an_earlier_session_is_shown_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let chat = random_uuid();
    let project = folder.path().join("projects/-code");
    fs::create_dir_all(&project).unwrap();
    let lines = [
        json!({"type": "user", "uuid": "1", "sessionId": chat, "cwd": "/code", "timestamp": "2026-11-01T00:00:00Z",
               "message": {"role": "user", "content": "What is here?"}}),
        json!({"type": "user", "uuid": "2", "isMeta": true, "message": {"role": "user", "content": "a caveat"}}),
        json!({"type": "assistant", "uuid": "3", "message": {"content": [
            {"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}}]}}),
        json!({"type": "user", "uuid": "4", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "README.md"}]}}),
        json!({"type": "assistant", "uuid": "5", "isSidechain": true, "message": {"content": [
            {"type": "text", "text": "of a sub-agent"}]}}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(project.join(format!("{chat}.jsonl")), text).unwrap();

    let history = History::at(folder.path());
    let script = Script::new().initialize().then(turn(["More."]));
    let (hub, cli) = hub_with(script, |hub| hub.history(history, "/code"));
    let mut watch = hub.watch(&chat, None).await.unwrap();
    let first = watch.next().await.unwrap().unwrap();
    assert!(matches!(first, Update::Snapshot { .. }));
    let shown = transcript(std::slice::from_ref(&first));
    let items: Vec<_> = shown.items.iter().map(|item| (item.kind, item.text.as_str())).collect();
    assert_eq!(items, [(ItemKind::Prompt, "What is here?"), (ItemKind::Text, "I look."), (ItemKind::Tool, "README.md")]);
    assert!(!shown.is_busy);
    assert_eq!(cli.invocations().len(), 0, "showing a session does not start it");

    hub.send(&chat, prompt("Go on")).await.unwrap();
    let mut seen = vec![first];
    seen.extend(until(&mut watch, "claude.turn_end").await);
    assert_eq!(transcript(&seen).last_text(), Some("More."));
    let arguments = format!("{:?}", cli.invocations());
    assert!(arguments.contains("--resume") && arguments.contains(&chat), "{arguments}");
}

#[tokio::test]
async fn a_session_of_another_directory_is_neither_shown_nor_continued() {
    let folder = tempfile::tempdir().unwrap();
    let chat = random_uuid();
    let project = folder.path().join("projects/-other");
    fs::create_dir_all(&project).unwrap();
    let line = json!({"type": "user", "uuid": "1", "sessionId": chat, "cwd": "/other", "timestamp": "2026-11-01T00:00:00Z",
                      "message": {"role": "user", "content": "a secret of the other project"}});
    fs::write(project.join(format!("{chat}.jsonl")), format!("{line}\n")).unwrap();

    let history = History::at(folder.path());
    let (hub, cli) = hub_with(Script::new().initialize().then(turn(["New."])), |hub| hub.history(history, "/code"));
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let seen = transcript(&until(&mut watch, "claude.turn_end").await);
    let texts: Vec<&str> = seen.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["Hello", "New."]);
    assert!(!format!("{:?}", cli.invocations()).contains("--resume"));
}
