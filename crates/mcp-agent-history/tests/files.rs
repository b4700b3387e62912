//! Tests with generated histories: valid, invalid and large ones.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use mcp_agent_history::{Fork, History, HistoryError, Record};
use serde_json::{Value, json};
use tempfile::TempDir;

const ID: &str = "11111111-2222-4333-8444-555555555555";

fn user(uuid: &str, text: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "parentUuid": null, "sessionId": ID, "cwd": "/code/my.project",
           "timestamp": "2026-11-16T00:00:00Z", "message": {"role": "user", "content": text}})
}

fn answer(uuid: &str, text: &str) -> Value {
    json!({"type": "assistant", "uuid": uuid, "parentUuid": "u1", "sessionId": ID,
           "message": {"id": "m", "content": [{"type": "text", "text": text}]}})
}

/// Creates a history with one session that consists of these lines.
fn history(lines: &[String]) -> (TempDir, History, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join(".claude/projects/-code-my-project");
    fs::create_dir_all(&project).unwrap();
    let file = project.join(format!("{ID}.jsonl"));
    fs::write(&file, lines.join("\n")).unwrap();
    let history = History::of_home(home.path());
    (home, history, file)
}

fn usual() -> Vec<String> {
    [user("u1", "hello"), answer("a1", "hi"), user("u2", "more"), answer("a2", "enough")]
        .map(|line| line.to_string())
        .to_vec()
}

fn texts(history: &History, id: &str) -> Vec<String> {
    let records = history.read(id).unwrap().map(Result::unwrap);
    records
        .filter_map(|record| match record {
            Record::Message(entry) => match &entry.message {
                mcp_agent::Message::User(user) => user.message.content.text().map(str::to_owned),
                message => message.text().map(str::to_owned),
            },
            _ => None,
        })
        .collect()
}

#[test]
fn a_session_is_listed_with_its_description_and_found_by_its_directory() {
    let (_home, history, file) = history(&usual());
    let found = history.sessions_of("/code/my.project").unwrap();
    assert_eq!(found.len(), 1);
    let session = &found[0];
    assert_eq!((session.id.as_str(), session.first_prompt.as_deref()), (ID, Some("hello")));
    assert_eq!((session.cwd.as_deref(), session.title.as_deref()), (Some("/code/my.project"), None));
    assert_eq!(
        (session.created.as_deref(), session.size),
        (Some("2026-11-16T00:00:00Z"), fs::metadata(file).unwrap().len())
    );
    assert_eq!(history.sessions().unwrap().len(), 1);
    assert!(history.sessions_of("/elsewhere").unwrap().is_empty());
    assert!(History::of_home("/nowhere/at/all").sessions().unwrap().is_empty());
}

#[test]
fn titles_and_tags_can_be_set_changed_and_removed() {
    let (_home, history, file) = history(&usual());
    history.rename(ID, "first \"title\"\n").unwrap();
    history.rename(ID, "second").unwrap();
    history.tag(ID, Some("blue")).unwrap();
    let session = history.session(ID).unwrap();
    assert_eq!((session.title.as_deref(), session.tag.as_deref()), (Some("second"), Some("blue")));
    history.tag(ID, None).unwrap();
    assert_eq!(history.session(ID).unwrap().tag, None);
    // A generated title does not replace the one of the user.
    let mut text = fs::read_to_string(&file).unwrap();
    text.push_str("{\"type\":\"ai-title\",\"aiTitle\":\"generated\"}\n");
    fs::write(&file, text).unwrap();
    assert_eq!(history.session(ID).unwrap().title.as_deref(), Some("second"));
    // The conversation is unchanged, and every line is still one JSON value.
    assert_eq!(texts(&history, ID), ["hello", "hi", "more", "enough"]);
    let lines = fs::read_to_string(file).unwrap();
    assert!(lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{lines}");
}

#[test]
fn deleting_a_session_deletes_its_other_files_too() {
    let (home, history, file) = history(&usual());
    let claude = home.path().join(".claude");
    let folders = [
        file.with_extension("").join("subagents"),
        claude.join("file-history").join(ID),
        claude.join("session-env").join(ID),
    ];
    let of_another = claude.join("file-history/another");
    for folder in folders.iter().chain([&of_another]) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("x"), "{}").unwrap();
    }
    history.delete(ID).unwrap();
    assert!(!file.exists() && !file.with_extension("").exists());
    assert!(folders.iter().all(|folder| !folder.exists()) && of_another.exists());
    assert!(matches!(history.delete(ID), Err(HistoryError::NotFound { .. })));
}

#[test]
fn a_session_whose_process_has_ended_is_not_running() {
    let (home, history, _) = history(&usual());
    let sessions = home.path().join(".claude/sessions");
    fs::create_dir_all(&sessions).unwrap();
    let running = |fields: Value| {
        fs::write(sessions.join("1.json"), fields.to_string()).unwrap();
        history.running(ID).unwrap()
    };
    let pid = std::process::id();
    assert_eq!(running(json!({"pid": pid, "sessionId": ID})), Some(pid));
    if cfg!(unix) {
        // No system gives this id to a process.
        assert_eq!(running(json!({"pid": i32::MAX, "sessionId": ID})), None);
    }
    if cfg!(target_os = "linux") {
        let stat = fs::read_to_string("/proc/self/stat").unwrap();
        let started = stat.rsplit(')').next().unwrap().split(' ').nth(20).unwrap();
        assert_eq!(running(json!({"pid": pid, "sessionId": ID, "procStart": started})), Some(pid));
        // Another process has the id now.
        assert_eq!(running(json!({"pid": pid, "sessionId": ID, "procStart": "1"})), None);
        history.rename(ID, "x").unwrap();
    }
}

#[test]
fn a_running_session_can_be_read_but_not_changed() {
    let (home, history, file) = history(&usual());
    let sessions = home.path().join(".claude/sessions");
    fs::create_dir_all(&sessions).unwrap();
    let pid = std::process::id();
    fs::write(sessions.join(format!("{pid}.json")), json!({"pid": pid, "sessionId": ID, "more": 1}).to_string()).unwrap();
    fs::write(sessions.join("broken.json"), "{").unwrap();
    let before = fs::read(&file).unwrap();
    let results =
        [history.rename(ID, "x"), history.tag(ID, Some("x")), history.delete(ID), history.fork(ID, &Fork::new()).map(drop)];
    for result in results {
        assert!(matches!(&result, Err(HistoryError::Running { pid: by, .. }) if *by == pid), "{result:?}");
    }
    assert_eq!((fs::read(&file).unwrap(), texts(&history, ID).len()), (before, 4));
    fs::write(sessions.join(format!("{pid}.json")), json!({"pid": pid, "sessionId": "another"}).to_string()).unwrap();
    history.rename(ID, "x").unwrap();
}

#[test]
fn unknown_and_invalid_lines_do_not_stop_reading() {
    let mut lines = usual();
    lines.insert(1, r#"{"type":"newer","x":[1]}"#.into());
    lines.insert(2, "not json".into());
    lines.insert(3, String::new());
    lines.insert(4, r#"{"type":7,"uuid":[],"isSidechain":"x"}"#.into());
    lines.insert(5, r#"[1,2]"#.into());
    lines.push(r#"{"type":"assistant","message":{"cut of"#.into());
    let (_home, history, _) = history(&lines);
    let records: Vec<Record> = history.read(ID).unwrap().map(Result::unwrap).collect();
    assert_eq!(texts(&history, ID), ["hello", "hi", "more", "enough"]);
    assert!(matches!(records[1], Record::Other(_)) && matches!(records[2], Record::Broken { line: 3 }), "{records:?}");
    assert!(matches!(records.last(), Some(Record::Broken { line: 10 })), "{records:?}");
    history.rename(ID, "still").unwrap();
    assert_eq!(history.session(ID).unwrap().title.as_deref(), Some("still"));
}

#[test]
fn an_id_that_could_name_another_file_is_invalid() {
    let (_home, history, _) = history(&usual());
    for id in ["", "..", "../x", "a/b", "a\\b", "a.b", "a\0b", "ä", &"x".repeat(200)] {
        for result in
            [history.session(id).map(drop), history.delete(id), history.rename(id, "x"), history.read(id).map(drop)]
        {
            assert!(matches!(result, Err(HistoryError::InvalidId { .. })), "{id:?}");
        }
    }
}

#[test]
fn a_session_with_long_lines_is_listed_and_read() {
    // A small version of `cargo run --release -p mcp-agent-history --example gigabyte`, which measures memory.
    let (_home, history, file) = history(&usual());
    let mut out = std::io::BufWriter::new(fs::OpenOptions::new().append(true).open(&file).unwrap());
    let long = answer("a3", &"x".repeat(4 << 20)).to_string();
    for _ in 0..8 {
        writeln!(out, "\n{long}").unwrap();
    }
    out.into_inner().unwrap().sync_all().unwrap();
    history.rename(ID, "large").unwrap();
    let session = history.session(ID).unwrap();
    assert_eq!((session.title.as_deref(), session.first_prompt.as_deref()), (Some("large"), Some("hello")));
    assert!(session.size > 32 << 20);
    assert_eq!(history.read(ID).unwrap().filter(|record| matches!(record, Ok(Record::Message(_)))).count(), 12);
}
