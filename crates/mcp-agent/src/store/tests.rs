//! Tests of summaries, of the store in memory, and of the copy of a running session.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::*;
use crate::transport::Output;

fn lines(values: &[Value]) -> Vec<StoredLine> {
    values.iter().map(|value| StoredLine::parse(&value.to_string()).unwrap()).collect()
}

fn user(uuid: &str, content: &Value) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}})
}

fn summary(values: &[Value]) -> SessionSummary {
    SessionSummary::new("s").fold(&lines(values), 7)
}

/// Output of a CLI that was recorded before.
struct Recorded(VecDeque<Value>);

impl Output for Recorded {
    fn receive(&mut self) -> Pending<'_, io::Result<Option<Vec<u8>>>> {
        let line = self.0.pop_front().map(|line| line.to_string().into_bytes());
        Box::pin(async move { Ok(line) })
    }
}

fn mirror_frame(path: &str, entries: &[Value]) -> Value {
    json!({"type": "transcript_mirror", "filePath": format!("/home/me/.claude/projects/{path}"), "entries": entries})
}

fn mirrored(frames: &[Value], store: &Arc<dyn SessionStore>, flush: Flush) -> Mirrored {
    Mirrored::new(Box::new(Recorded(frames.iter().cloned().collect())), Arc::clone(store), flush, None)
}

async fn next(output: &mut Mirrored) -> Option<Value> {
    let line = output.receive().await.unwrap()?;
    Some(serde_json::from_slice(&line).unwrap())
}

/// A store whose first appends fail.
#[derive(Debug)]
struct Failing {
    store: MemoryStore,
    failures: AtomicUsize,
}

impl SessionStore for Failing {
    fn append<'a>(&'a self, key: &'a SessionKey, lines: &'a [StoredLine]) -> Pending<'a, Result<(), StoreError>> {
        let fails = self.failures.try_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        if fails { Box::pin(async { Err("the disk is full".into()) }) } else { self.store.append(key, lines) }
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<Option<Vec<StoredLine>>, StoreError>> {
        self.store.load(key)
    }

    fn sessions<'a>(&'a self, project: &'a str) -> Pending<'a, Result<Vec<SessionSummary>, StoreError>> {
        self.store.sessions(project)
    }

    fn subpaths<'a>(&'a self, session: &'a SessionKey) -> Pending<'a, Result<Vec<String>, StoreError>> {
        self.store.subpaths(session)
    }
}

#[test]
fn a_summary_prefers_the_title_of_the_user_then_the_generated_one_then_the_last_prompt() {
    let mut all = vec![user("1", &json!("hello"))];
    let mut label = |line: Value| {
        all.push(line);
        summary(&all).label().unwrap().to_owned()
    };
    assert_eq!(label(json!({"type": "mode"})), "hello");
    assert_eq!(label(json!({"type": "summary", "summary": "greetings"})), "greetings");
    assert_eq!(label(json!({"type": "last-prompt", "lastPrompt": "bye"})), "bye");
    assert_eq!(label(json!({"type": "custom-title", "customTitle": "mine"})), "mine");
    assert_eq!(label(json!({"type": "ai-title", "aiTitle": "generated"})), "mine");
    assert_eq!(label(json!({"type": "custom-title", "customTitle": "mine too"})), "mine too");
    assert_eq!(summary(&all[..2]).title(), None);
    assert_eq!(summary(&all).title(), Some("mine too"));
}

#[test]
fn the_first_prompt_is_the_first_that_a_user_typed() {
    let first = |contents: &[Value]| {
        let values: Vec<Value> = contents.iter().map(|content| user("1", content)).collect();
        summary(&values).first_prompt
    };
    let from_cli = [
        json!("<local-command-stdout>x</local-command-stdout>"),
        json!("<system-reminder a>x"),
        json!("[Request interrupted by user for tool use]"),
        json!([{"type": "tool_result", "tool_use_id": "t", "content": "x"}, {"type": "text", "text": "no"}]),
        json!("   "),
    ];
    assert_eq!(first(&from_cli), None);
    for text in ["a <b> c", "<", "<3 you", "< b", "<Tag>"] {
        assert_eq!(first(&[from_cli.as_slice(), &[json!(text)]].concat()).as_deref(), Some(text));
    }
    assert_eq!(first(&[json!([{"type": "text", "text": "one\ntwo"}])]).as_deref(), Some("one two"));
    assert_eq!(first(&[json!("<bash-input> ls </bash-input>")]).as_deref(), Some("! ls"));
    assert_eq!(first(&[json!("ä".repeat(201))]), Some(format!("{}…", "ä".repeat(200))));
    let command = summary(&[user("1", &json!("<command-name>/compact</command-name>"))]);
    assert_eq!((command.first_prompt.as_deref(), command.label()), (None, Some("/compact")));
    let mut meta = user("1", &json!("no"));
    meta["isMeta"] = json!(true);
    assert_eq!(summary(&[meta, user("2", &json!("yes"))]).first_prompt.as_deref(), Some("yes"));
}

#[test]
fn a_summary_keeps_the_first_directory_and_the_last_branch_and_tag() {
    let at = |cwd: &str, branch: &str| json!({"type": "user", "cwd": cwd, "gitBranch": branch, "timestamp": cwd, "entrypoint": "cli"});
    let tag = |tag: &str| json!({"type": "tag", "tag": tag});
    let mut all = vec![at("/one", "main"), at("/two", "topic"), tag("red"), json!({"type": "other", "tag": "no"})];
    let folded = summary(&all);
    assert_eq!((folded.cwd.as_deref(), folded.git_branch.as_deref()), (Some("/one"), Some("topic")));
    assert_eq!((folded.tag.as_deref(), folded.modified, folded.is_sidechain), (Some("red"), 7, Some(false)));
    all.extend([tag(""), json!({"type": "relocated", "relocatedCwd": "/three"})]);
    assert_eq!((summary(&all).tag, summary(&all).cwd.as_deref()), (None, Some("/three")));
    // Folding in two steps gives the same, also through JSON.
    let half: SessionSummary = serde_json::from_value(serde_json::to_value(summary(&all[..3])).unwrap()).unwrap();
    assert_eq!(half.fold(&lines(&all[3..]), 7), summary(&all));
}

#[tokio::test]
async fn the_store_in_memory_ignores_lines_that_it_has_and_deletes_sub_agents_with_their_session() {
    let store = MemoryStore::new();
    let key = SessionKey::new("p", "s");
    let sub = key.with_subpath("subagents/agent-1").unwrap();
    let twice = lines(&[user("1", &json!("a")), json!({"type": "mode"})]);
    store.append(&key, &twice).await.unwrap();
    store.append(&key, &twice).await.unwrap();
    store.append(&sub, &twice).await.unwrap();
    store.append(&SessionKey::new("p", "s2"), &twice).await.unwrap();
    store.append(&SessionKey::new("q", "s"), &twice).await.unwrap();
    assert_eq!(store.load(&key).await.unwrap().unwrap(), [&twice[..], &twice[1..]].concat());
    assert_eq!(store.subpaths(&key).await.unwrap(), ["subagents/agent-1"]);
    let mut sessions = store.sessions("p").await.unwrap();
    sessions.sort_by_key(|session| session.modified);
    assert_eq!(sessions.iter().map(|session| session.session_id.as_str()).collect::<Vec<_>>(), ["s", "s2"]);
    store.delete(&key).await.unwrap();
    assert_eq!((store.load(&key).await.unwrap(), store.load(&sub).await.unwrap()), (None, None));
    assert_eq!((store.sessions("p").await.unwrap().len(), store.sessions("q").await.unwrap().len()), (1, 1));
}

#[tokio::test]
async fn the_store_has_the_lines_of_a_turn_before_its_result_is_returned() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let frames = [
        mirror_frame("-w/s.jsonl", &[user("1", &json!("a"))]),
        json!({"type": "assistant", "text": "\"transcript_mirror\""}),
        mirror_frame("-w/s/subagents/agent-1.jsonl", &[user("2", &json!("b"))]),
        mirror_frame("-w/s.jsonl", &[user("3", &json!("c"))]),
        mirror_frame("../s.jsonl/x", &[user("4", &json!("c"))]),
        json!({"type": "result"}),
        mirror_frame("-w/s.jsonl", &[user("5", &json!("d"))]),
    ];
    let mut output = mirrored(&frames, &store, Flush::Batched);
    assert_eq!(next(&mut output).await.unwrap()["type"], "assistant");
    let key = SessionKey::new("-w", "s");
    assert_eq!(store.load(&key).await.unwrap(), None, "the turn is not over");
    let other = next(&mut output).await.unwrap();
    assert_eq!(other["type"], "transcript_mirror", "lines without a valid key are left to the caller: {other}");
    assert_eq!(next(&mut output).await.unwrap()["type"], "result");
    let uuids = async |key: &SessionKey| -> Vec<String> {
        store.load(key).await.unwrap().unwrap().iter().filter_map(StoredLine::uuid).collect()
    };
    assert_eq!(uuids(&key).await, ["1", "3"]);
    assert_eq!(uuids(&key.with_subpath("subagents/agent-1").unwrap()).await, ["2"]);
    assert_eq!(next(&mut output).await, None);
    assert_eq!(uuids(&key).await, ["1", "3", "5"], "the end of output sends the rest");
}

#[tokio::test]
async fn more_than_500_lines_are_sent_before_the_end_of_the_turn() {
    let store: Arc<dyn SessionStore> = Arc::new(MemoryStore::new());
    let many: Vec<Value> = (0..501).map(|n| user(&n.to_string(), &json!("x"))).collect();
    let frames = [mirror_frame("-w/s.jsonl", &many), json!({"type": "assistant"})];
    let mut output = mirrored(&frames, &store, Flush::Batched);
    next(&mut output).await.unwrap();
    // The task that appends runs on this thread, and needs only a few turns.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.load(&SessionKey::new("-w", "s")).await.unwrap().map(|lines| lines.len()), Some(501));
}

#[tokio::test(start_paused = true)]
async fn an_append_is_tried_three_times_and_then_reported() {
    for (failures, reported) in [(2, false), (3, true)] {
        let failing = Arc::new(Failing { store: MemoryStore::new(), failures: failures.into() });
        let store: Arc<dyn SessionStore> = failing.clone();
        let frames = [mirror_frame("-w/s.jsonl", &[user("1", &json!("a"))]), json!({"type": "result"})];
        let mut output = mirrored(&frames, &store, Flush::Eager);
        let first = next(&mut output).await.unwrap();
        if reported {
            assert_eq!(first["subtype"], "mirror_error");
            assert_eq!(first["key"], json!({"projectKey": "-w", "sessionId": "s"}));
            assert!(first["error"].as_str().unwrap().contains("the disk is full"), "{first}");
            assert_eq!(next(&mut output).await.unwrap()["type"], "result");
        } else {
            assert_eq!(first["type"], "result");
        }
        assert_eq!(failing.store.load(&SessionKey::new("-w", "s")).await.unwrap().is_some(), !reported);
        assert_eq!(next(&mut output).await, None);
    }
}

#[test]
fn a_stored_line_is_one_json_object_on_one_line() {
    for text in ["", "[]", "1", "\"x\"", "{", "{} {}"] {
        assert!(StoredLine::parse(text).is_err(), "{text:?}");
    }
    assert_eq!(StoredLine::parse(" {\"a\":1.50}\n").unwrap().as_str(), "{\"a\":1.50}");
    assert_eq!(StoredLine::parse("{\"a\":\n1}").unwrap().as_str(), "{\"a\":1}");
    let line = StoredLine::parse(r#"{"type":7,"uuid":null}"#).unwrap();
    assert_eq!((line.kind().as_str(), line.uuid()), ("", None));
}
