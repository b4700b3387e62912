//! Tests of conversations: branches, parallel tool uses, compactions, sub-agents, rewind points, forks.

use std::fs;
use std::path::PathBuf;

use mcp_agent_history::{Conversation, Fork, History, HistoryError, Record};
use serde_json::{Value, json};
use tempfile::TempDir;

const ID: &str = "11111111-2222-4333-8444-555555555555";

fn line(kind: &str, uuid: &str, parent: Option<&str>, content: Value) -> Value {
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": ID, "cwd": "/w",
           "timestamp": format!("2026-11-16T00:00:0{}Z", uuid.len()), "message": {"role": kind, "content": content}})
}

fn text(kind: &str, uuid: &str, parent: &str) -> Value {
    line(kind, uuid, Some(parent).filter(|parent| !parent.is_empty()), json!([{"type": "text", "text": uuid}]))
}

fn block(uuid: &str, parent: &str, answer: &str, tool: &str) -> Value {
    let mut line =
        line("assistant", uuid, Some(parent), json!([{"type": "tool_use", "id": tool, "name": "Read", "input": {}}]));
    line["message"]["id"] = json!(answer);
    line
}

fn result(uuid: &str, parent: &str, tool: &str) -> Value {
    line("user", uuid, Some(parent), json!([{"type": "tool_result", "tool_use_id": tool, "content": uuid}]))
}

fn session(lines: &[Value]) -> (TempDir, History, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join(".claude/projects/-w");
    fs::create_dir_all(&project).unwrap();
    let file = project.join(format!("{ID}.jsonl"));
    fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let history = History::of_home(home.path());
    (home, history, file)
}

fn uuids(conversation: &Conversation) -> Vec<&str> {
    conversation.messages().map(|entry| entry.uuid.as_deref().unwrap()).collect()
}

fn messages(lines: &[Value]) -> Vec<String> {
    let (_home, history, _) = session(lines);
    uuids(&history.conversation(ID).unwrap()).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_conversation_follows_the_branch_that_was_written_last() {
    let mut lines =
        vec![text("user", "1", ""), text("assistant", "2", "1"), text("user", "3", "2"), text("assistant", "4", "3")];
    assert_eq!(messages(&lines), ["1", "2", "3", "4"]);
    lines.extend([
        text("user", "5", "2"),
        json!({"type": "attachment", "uuid": "6", "parentUuid": "5"}),
        text("assistant", "7", "6"),
    ]);
    assert_eq!(messages(&lines), ["1", "2", "5", "7"]);
    let mut side = text("assistant", "8", "4");
    side["isSidechain"] = json!(true);
    let mut meta = text("user", "9", "7");
    meta["isMeta"] = json!(true);
    lines.extend([side, meta, json!({"type": "system", "uuid": "a", "parentUuid": "9"}), json!({"type": "mode"})]);
    assert_eq!(messages(&lines), ["1", "2", "5", "7"]);
    let (_home, history, _) = session(&lines);
    let conversation = history.conversation(ID).unwrap();
    assert_eq!(conversation.all().len(), 5, "the end of the branch is a message, not a notice of the system");
    let page: Vec<&str> = conversation.page(1, 2).map(|entry| entry.uuid.as_deref().unwrap()).collect();
    assert_eq!((page, conversation.page(4, 2).count()), (vec!["2", "5"], 0));
}

#[test]
fn links_in_a_circle_and_to_missing_lines_end_a_conversation() {
    assert_eq!(messages(&[text("user", "1", "missing"), text("assistant", "2", "1")]), ["1", "2"]);
    let circle = [text("user", "1", "3"), text("assistant", "2", "1"), text("user", "3", "2"), text("assistant", "4", "3")];
    assert_eq!(messages(&circle), ["1", "2", "3", "4"]);
    assert!(messages(&circle[..3]).is_empty(), "a circle has no end");
    assert!(messages(&[json!({"type": "mode"})]).is_empty());
}

#[test]
fn all_tool_uses_of_an_answer_and_their_results_are_part_of_the_conversation() {
    let lines = [
        text("user", "1", ""),
        block("b1", "1", "m", "t1"),
        block("b2", "b1", "m", "t2"),
        block("b3", "b2", "m", "t3"),
        result("r01", "b1", "t1"),
        result("r2", "b2", "t2"),
        result("r3", "b3", "t3"),
        text("assistant", "end", "r3"),
    ];
    assert_eq!(messages(&lines), ["1", "b1", "b2", "b3", "r2", "r01", "r3", "end"]);
    // An answer of another branch that used the same ids is not.
    let mut other = lines.to_vec();
    other.insert(4, result("old", "b1", "t3"));
    assert_eq!(messages(&other), ["1", "b1", "b2", "b3", "r2", "r01", "r3", "end"]);
}

#[test]
fn after_a_compaction_a_conversation_begins_with_the_summary_and_the_messages_that_were_kept() {
    let boundary = |metadata: Value| {
        json!({"type": "system", "subtype": "compact_boundary", "uuid": "B", "parentUuid": null, "logicalParentUuid": "4",
               "compactMetadata": metadata})
    };
    let mut summary = text("user", "S", "B");
    summary["isCompactSummary"] = json!(true);
    let all = |metadata: Value| {
        let before =
            [text("user", "1", ""), text("assistant", "2", "1"), text("user", "3", "2"), text("assistant", "4", "3")];
        let after = [boundary(metadata), summary.clone(), text("user", "5", "S"), text("assistant", "6", "5")];
        messages(&[&before[..], &after[..]].concat())
    };
    assert_eq!(all(json!({})), ["S", "5", "6"]);
    assert_eq!(all(json!({"preservedMessages": {"anchorUuid": "S", "uuids": ["2", "4"]}})), ["S", "2", "4", "5", "6"]);
    assert_eq!(all(json!({"preservedMessages": {"anchorUuid": "S", "uuids": ["4"]}})), ["S", "4", "5", "6"]);
    assert_eq!(all(json!({"preservedMessages": {"anchorUuid": "S", "uuids": ["2", "gone"]}})), ["S", "5", "6"]);
    let segment = json!({"headUuid": "3", "anchorUuid": "S", "tailUuid": "4"});
    assert_eq!(all(json!({"preservedSegment": segment})), ["S", "3", "4", "5", "6"]);
}

#[test]
fn sub_agents_are_listed_with_their_task_and_read() {
    let (_home, history, file) = session(&[text("user", "1", "")]);
    assert!(history.subagents(ID).unwrap().is_empty());
    let folder = file.with_extension("").join("subagents");
    fs::create_dir_all(folder.join("workflow")).unwrap();
    let lines = [text("user", "s1", ""), text("assistant", "s2", "s1")].map(|mut line| {
        line["isSidechain"] = json!(true);
        format!("{line}\n")
    });
    fs::write(folder.join("agent-b.jsonl"), lines.concat()).unwrap();
    fs::write(
        folder.join("agent-b.meta.json"),
        r#"{"agentType":"Explore","description":"d","toolUseId":"t","parentAgentId":"a"}"#,
    )
    .unwrap();
    fs::write(folder.join("workflow/agent-a.jsonl"), "").unwrap();
    fs::write(folder.join("other.jsonl"), "").unwrap();
    let found = history.subagents(ID).unwrap();
    assert_eq!(found.iter().map(|agent| agent.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let agent = &found[1];
    assert_eq!((agent.agent_type.as_deref(), agent.description.as_deref()), (Some("Explore"), Some("d")));
    assert_eq!((agent.tool_use_id.as_deref(), agent.parent_agent_id.as_deref()), (Some("t"), Some("a")));
    assert_eq!(uuids(&history.subagent(ID, "b").unwrap()), ["s1", "s2"]);
    assert_eq!(history.subagent(ID, "a").unwrap().messages().len(), 0);
    assert!(matches!(history.subagent(ID, "c"), Err(HistoryError::NotFound { id }) if id == "c"));
    assert!(matches!(history.subagent(ID, "../x"), Err(HistoryError::InvalidId { .. })));
}

fn with_checkpoints() -> Vec<Value> {
    let snapshot = |prompt: &str, files: Value| {
        json!({"type": "file-history-snapshot", "messageId": prompt, "isSnapshotUpdate": false,
               "snapshot": {"messageId": prompt, "trackedFileBackups": files, "timestamp": "2026-11-16T00:00:00Z"}})
    };
    let backup = json!({"backupFileName": "f@v2", "version": 2, "backupTime": "2026-11-16T00:00:00Z"});
    let mut progress = text("progress", "p", "2");
    progress.as_object_mut().unwrap().remove("message");
    let saved = format!("Output saved to: /home/me/.claude/projects/-w/{ID}/tool-results/x.txt and {ID}");
    vec![
        json!({"type": "custom-title", "customTitle": "mine"}),
        json!({"type": "queue-operation", "sessionId": ID}),
        text("user", "1", ""),
        snapshot("1", json!({})),
        text("assistant", "2", "1"),
        json!({"type": "file-history-delta", "messageId": "2", "snapshotMessageId": "1", "trackingPath": "b.txt",
               "backup": {"backupFileName": null, "version": 1}}),
        progress,
        line("user", "3", Some("p"), json!([{"type": "tool_result", "tool_use_id": "t", "content": saved}])),
        text("user", "4", "3"),
        snapshot("4", json!({"b.txt": backup})),
        json!({"type": "tag", "tag": "red"}),
    ]
}

#[test]
fn rewind_points_are_typed() {
    let (_home, history, _) = session(&with_checkpoints());
    let records: Vec<Record> = history.read(ID).unwrap().map(Result::unwrap).collect();
    let snapshots: Vec<_> = records
        .iter()
        .filter_map(|record| if let Record::Snapshot(snapshot) = record { Some(snapshot) } else { None })
        .collect();
    assert_eq!(snapshots.iter().map(|snapshot| snapshot.message_id.as_str()).collect::<Vec<_>>(), ["1", "4"]);
    let backup = &snapshots[1].snapshot.tracked_file_backups["b.txt"];
    assert_eq!((backup.backup_file_name.as_deref(), backup.version), (Some("f@v2"), 2));
    let Some(Record::FileChange(change)) = records.iter().find(|record| matches!(record, Record::FileChange(_))) else {
        panic!("{records:?}")
    };
    assert_eq!((change.snapshot_message_id.as_str(), change.tracking_path.as_str()), ("1", "b.txt"));
    assert_eq!(change.backup.backup_file_name, None);
}

fn lines_of(history: &History, id: &str) -> Vec<Value> {
    let text = fs::read_to_string(history.session(id).unwrap().path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_fork_has_new_ids_and_its_own_copies_of_all_files() {
    let (home, history, file) = session(&with_checkpoints());
    let before = fs::read(&file).unwrap();
    let backups = home.path().join(".claude/file-history");
    fs::create_dir_all(backups.join(ID)).unwrap();
    fs::write(backups.join(ID).join("f@v2"), "bee").unwrap();
    fs::create_dir_all(file.with_extension("").join("tool-results")).unwrap();
    fs::write(file.with_extension("").join("tool-results/x.txt"), "large").unwrap();

    let copy = history.fork(ID, &Fork::new()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::read_to_string(backups.join(&copy).join("f@v2")).unwrap(), "bee");
    assert_eq!(fs::read_to_string(file.with_file_name(&copy).join("tool-results/x.txt")).unwrap(), "large");
    let lines = lines_of(&history, &copy);
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    let expected = [
        "user",
        "file-history-snapshot",
        "assistant",
        "file-history-delta",
        "user",
        "user",
        "file-history-snapshot",
        "custom-title",
    ];
    assert_eq!(kinds, expected);
    let all = [&lines[0], &lines[2], &lines[4], &lines[5]];
    for (old, line) in ["1", "2", "3", "4"].iter().zip(all) {
        assert_eq!(line["forkedFrom"], json!({"sessionId": ID, "messageUuid": old}));
        assert_eq!((line["sessionId"].as_str(), line["uuid"].as_str().unwrap().len()), (Some(copy.as_str()), 36));
    }
    assert!(all.windows(2).all(|pair| pair[1]["parentUuid"] == pair[0]["uuid"]), "the progress line is left out: {lines:?}");
    assert_eq!((&lines[1]["messageId"], &lines[1]["snapshot"]["messageId"]), (&lines[0]["uuid"], &lines[0]["uuid"]));
    assert_eq!((&lines[3]["messageId"], &lines[3]["snapshotMessageId"]), (&lines[2]["uuid"], &lines[0]["uuid"]));
    assert_eq!(lines[2]["requestSessionId"], ID);
    assert!(lines[4]["message"].to_string().contains(&format!("{copy}/tool-results/x.txt and {ID}")), "{}", lines[4]);
    let session = history.session(&copy).unwrap();
    assert_eq!((session.title.as_deref(), session.tag), (Some("mine (fork)"), None));
    assert_eq!(history.conversation(&copy).unwrap().messages().len(), 4);
}

#[test]
fn a_fork_can_end_with_a_message_and_have_a_title() {
    let (_home, history, _) = session(&with_checkpoints());
    let copy = history.fork(ID, &Fork::new().up_to("2").title(" half ")).unwrap();
    let kinds: Vec<String> =
        lines_of(&history, &copy).iter().map(|line| line["type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["user", "file-history-snapshot", "assistant", "file-history-delta", "custom-title"]);
    assert_eq!(history.session(&copy).unwrap().title.as_deref(), Some("half"));
    let only = history.fork(ID, &Fork::new().up_to("1")).unwrap();
    assert_eq!(lines_of(&history, &only).len(), 3, "the prompt, the snapshot that was written after it, and the title");
    for uuid in ["nobody", "p"] {
        let error = history.fork(ID, &Fork::new().up_to(uuid)).unwrap_err();
        assert!(matches!(&error, HistoryError::MessageNotFound { uuid: missing } if missing == uuid), "{error}");
    }
    assert_eq!(history.sessions().unwrap().len(), 3);
}

#[test]
fn a_fork_that_ends_with_a_summary_leaves_out_what_the_compaction_kept() {
    let metadata = json!({"preservedMessages": {"anchorUuid": "S", "uuids": ["2"]}, "trigger": "manual"});
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "B", "parentUuid": null, "compactMetadata": metadata});
    let lines =
        [text("user", "1", ""), text("assistant", "2", "1"), boundary, text("user", "S", "B"), text("user", "5", "S")];
    let (_home, history, _) = session(&lines);
    let count = |fork: Fork| history.conversation(&history.fork(ID, &fork).unwrap()).unwrap().messages().len();
    assert_eq!((count(Fork::new()), count(Fork::new().up_to("S"))), (3, 1));
}
