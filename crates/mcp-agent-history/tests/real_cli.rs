//! Tests with sessions of the real CLI: forks with rewind points, deletion, sub-agents, compaction, session stores.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mcp_agent::store::{Flush, MemoryStore, SessionKey, SessionStore, StoredLine, project_folder};
use mcp_agent::{Agent, Error, Message, PermissionMode, Prompt, Session};
use mcp_agent_history::{Conversation, Fork, History, HistoryError, Import, Record, StoredSessions};
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde_json::json;
use test_env::{Missing, needs};

/// The real CLI in a sandbox, with a scripted model.
struct Setup {
    cli: Cli,
    model: Model,
    sandbox: Sandbox,
}

impl Setup {
    fn or_skip() -> Option<Self> {
        let cli = needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error)))?;
        Some(Self { cli, model: Model::start().unwrap(), sandbox: Sandbox::new().unwrap() })
    }

    fn agent(&self) -> Agent {
        let agent = Agent::new().permission_mode(PermissionMode::BypassPermissions).allow_dangerously_skip_permissions();
        self.sandbox.confine(agent, &self.cli, &self.model)
    }

    fn history(&self) -> History {
        History::of_home(self.sandbox.home())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.sandbox.work().join(name)
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(120), future).await.expect("a result in time")
}

async fn open(agent: Agent) -> Session {
    within(agent.open()).await.unwrap()
}

/// Sends a prompt and returns the id of the session.
async fn say(session: &mut Session, text: impl Into<Prompt>) -> String {
    within(session.send(text)).await.unwrap();
    let result = within(session.finish()).await.unwrap().expect("a result");
    result.field::<String>("session_id").unwrap()
}

async fn once(agent: Agent, text: impl Into<Prompt>) -> String {
    let mut session = open(agent).await;
    let id = say(&mut session, text).await;
    within(session.close()).await.unwrap();
    id
}

fn write(path: &Path, text: &str) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    prompt(
        &format!("write {name}"),
        [Turn::tool("Write", json!({"file_path": path, "content": text})), Turn::text("written")],
    )
}

fn texts(conversation: &Conversation) -> Vec<String> {
    let text = |message: &Message| match message {
        Message::User(user) => user.message.content.text().map(str::to_owned),
        message => message.text().map(str::to_owned),
    };
    let texts = conversation.messages().filter_map(|entry| text(&entry.message));
    // A scripted prompt has the script in a second line.
    texts
        .map(|text| text.split(" SCRIPT").next().unwrap_or_default().lines().next().unwrap_or_default().trim().to_owned())
        .collect()
}

#[tokio::test]
async fn a_fork_can_be_resumed_and_its_files_rewound_after_the_original_was_deleted() {
    let Some(setup) = Setup::or_skip() else { return };
    let history = setup.history();
    let agent = || setup.agent().file_checkpointing();
    let (one, two) = (setup.file("one.txt"), setup.file("two.txt"));
    let mut session = open(agent()).await;
    let id = say(&mut session, write(&one, "first\n")).await;
    let large = Turn::tool("Bash", json!({"command": "seq 1 30000"}));
    say(&mut session, prompt("count", [large, Turn::text("counted")])).await;
    let edit = json!({"file_path": one, "old_string": "first", "new_string": "second"});
    say(&mut session, prompt("edit", [Turn::tool("Edit", edit), Turn::text("edited")])).await;
    say(&mut session, write(&two, "new\n")).await;
    within(session.close()).await.unwrap();

    let fork = history.fork(&id, &Fork::new()).unwrap();
    assert_eq!(texts(&history.conversation(&fork).unwrap()), texts(&history.conversation(&id).unwrap()));
    history.delete(&id).unwrap();
    for folder in ["file-history", "session-env"] {
        assert!(!setup.sandbox.home().join(".claude").join(folder).join(&id).exists(), "{folder}");
    }
    assert!(matches!(within(agent().resume(&id).open()).await, Err(Error::Ended(_))), "a deleted session is gone");

    // The copy has its own file with the large result.
    let saved = history.session(&fork).unwrap().path.with_extension("").join("tool-results");
    assert_eq!(fs::read_dir(&saved).unwrap().count(), 1);
    let all = fs::read_to_string(history.session(&fork).unwrap().path).unwrap();
    assert!(all.contains(&*saved.to_string_lossy()) && !all.contains(&format!("{id}/tool-results")));

    let prompts = rewind_points(&history, &fork);
    assert_eq!(prompts.len(), 4, "a rewind point for each prompt");
    let mut session = open(agent().resume(&fork)).await;
    let outcome = within(session.handle().rewind_files(&prompts[2])).await.unwrap();
    assert!(outcome.can_rewind, "{outcome:?}");
    assert_eq!((fs::read_to_string(&one).unwrap().as_str(), two.exists()), ("first\n", false));
    assert_eq!(say(&mut session, prompt("go on", [Turn::text("fine")])).await, fork);
    within(session.close()).await.unwrap();
    assert!(setup.model.requests().pop().unwrap().mentions("counted"), "the model has the conversation");
}

#[tokio::test]
async fn the_files_of_a_copy_that_the_cli_made_can_be_rewound() {
    let Some(setup) = Setup::or_skip() else { return };
    let agent = || setup.agent().file_checkpointing();
    let path = setup.file("one.txt");
    let id = once(agent(), write(&path, "first\n")).await;
    let mut copy = open(agent().resume(&id).fork()).await;
    let edit = json!({"file_path": path, "old_string": "first", "new_string": "second"});
    let read = Turn::tool("Read", json!({"file_path": path}));
    let sent = within(copy.send(prompt("edit", [read, Turn::tool("Edit", edit), Turn::text("edited")]))).await.unwrap();
    let result = within(copy.finish()).await.unwrap().expect("a result");
    assert_ne!(result.field::<String>("session_id").unwrap(), id);
    assert_eq!(fs::read_to_string(&path).unwrap(), "second\n");

    // To a prompt of the copy, then to one that was copied.
    assert!(within(copy.handle().rewind_files(&sent)).await.unwrap().can_rewind);
    assert_eq!(fs::read_to_string(&path).unwrap(), "first\n");
    let first = rewind_points(&setup.history(), &id).remove(0);
    assert!(within(copy.handle().rewind_files(&first)).await.unwrap().can_rewind);
    assert!(!path.exists());
    within(copy.close()).await.unwrap();
}

/// The ids of the prompts to which files can be rewound.
fn rewind_points(history: &History, id: &str) -> Vec<String> {
    let points = history.read(id).unwrap().filter_map(|record| match record.unwrap() {
        Record::Snapshot(snapshot) => Some(snapshot.message_id),
        _ => None,
    });
    points.collect()
}

#[tokio::test]
async fn a_compacted_conversation_begins_with_its_summary() {
    let Some(setup) = Setup::or_skip() else { return };
    let history = setup.history();
    let mut session = open(setup.agent()).await;
    let id = say(&mut session, prompt("begin", [Turn::text("begun")])).await;
    say(&mut session, Prompt::slash("compact", "")).await;
    say(&mut session, prompt("go on", [Turn::text("gone on")])).await;
    within(session.close()).await.unwrap();
    let conversation = history.conversation(&id).unwrap();
    let first = conversation.messages().next().unwrap();
    assert!(first.is_compact_summary, "{first:?}");
    let texts = texts(&conversation);
    assert_eq!(&texts[texts.len() - 2..], ["go on", "gone on"]);
    assert!(!texts.contains(&"begin".to_owned()), "{texts:?}");
    assert!(conversation.all().iter().any(|entry| matches!(entry.message, Message::CompactBoundary(_))));
}

fn task() -> String {
    let inner = prompt("look", [Turn::text("seen")]);
    let input = json!({"description": "a task", "prompt": inner, "subagent_type": "general-purpose"});
    prompt("delegate", [Turn::tool("Agent", input), Turn::text("delegated")])
}

#[tokio::test]
async fn a_session_is_resumed_from_a_store_on_a_disk_that_has_nothing() {
    let Some(first) = Setup::or_skip() else { return };
    let Some(second) = Setup::or_skip() else { return };
    let store = Arc::new(MemoryStore::new());
    let with_store = |setup: &Setup| setup.agent().session_store(store.clone()).session_store_project("tenant");
    let mut session = open(with_store(&first)).await;
    let id = say(&mut session, task()).await;
    let key = SessionKey::new("tenant", &id);
    assert!(store.load(&key).await.unwrap().is_some(), "stored when the result is returned");
    say(&mut session, prompt("more", [Turn::text("done")])).await;
    within(session.close()).await.unwrap();

    // The store has what the disk has.
    let on_disk = first.history().conversation(&id).unwrap();
    let sessions = StoredSessions::new(store.clone(), "tenant");
    assert_eq!(texts(&sessions.conversation(&id).await.unwrap()), texts(&on_disk));
    let agents = first.history().subagents(&id).unwrap();
    assert_eq!(sessions.subagents(&id).await.unwrap(), [agents[0].id.clone()]);
    let of_agent = sessions.subagent(&id, &agents[0].id).await.unwrap();
    assert_eq!(texts(&of_agent), texts(&first.history().subagent(&id, &agents[0].id).unwrap()));
    assert_eq!(texts(&of_agent).last().map(String::as_str), Some("seen"));
    let listed = sessions.list().await.unwrap();
    assert_eq!((listed.len(), &listed[0].session_id), (1, &id));
    assert!(listed[0].first_prompt.as_deref().is_some_and(|prompt| prompt.starts_with("delegate")), "{listed:?}");
    assert_eq!(listed[0].label(), first.history().session(&id).unwrap().label());

    // Another machine.
    assert!(second.history().sessions().unwrap().is_empty());
    assert_eq!(once(with_store(&second).continue_latest(), prompt("again", [Turn::text("resumed")])).await, id);
    assert!(second.model.requests().pop().unwrap().mentions("done"), "the model has the conversation");
    let there = second.history();
    assert_eq!(texts(&there.conversation(&id).unwrap())[..2], texts(&on_disk)[..2]);
    assert_eq!(there.subagents(&id).unwrap()[0].tool_use_id, agents[0].tool_use_id);
    assert!(texts(&sessions.conversation(&id).await.unwrap()).contains(&"resumed".to_owned()));

    // Back on the first machine, whose file is older than the store.
    assert_eq!(once(with_store(&first).resume(&id), prompt("last", [Turn::text("end")])).await, id);
    assert!(first.model.requests().pop().unwrap().mentions("resumed"));
}

#[tokio::test]
async fn a_session_on_disk_is_imported_and_resumed_from_the_store() {
    let Some(first) = Setup::or_skip() else { return };
    let Some(second) = Setup::or_skip() else { return };
    let id = once(first.agent(), task()).await;
    let store = Arc::new(MemoryStore::new());
    let project = project_folder(second.sandbox.work().canonicalize().unwrap());
    let import = Import::new().project(&project).batch(3);
    for _ in 0..2 {
        first.history().import(&id, store.as_ref(), &import).await.unwrap();
    }
    let sessions = StoredSessions::of(store.clone(), second.sandbox.work());
    assert_eq!(sessions.list().await.unwrap()[0].session_id, id);
    let lines = store.load(&SessionKey::new(&project, &id)).await.unwrap().unwrap();
    let mut uuids: Vec<String> = lines.iter().filter_map(StoredLine::uuid).collect();
    let count = uuids.len();
    uuids.sort();
    uuids.dedup();
    assert_eq!(uuids.len(), count, "imported twice, stored once");
    let agent = second.agent().session_store(store.clone()).session_store_flush(Flush::Eager).resume(&id);
    assert_eq!(once(agent, prompt("again", [Turn::text("resumed")])).await, id);
    assert!(second.model.requests().pop().unwrap().mentions("delegated"));
    assert_eq!(second.history().subagents(&id).unwrap()[0].agent_type.as_deref(), Some("general-purpose"));
    sessions.delete(&id).await.unwrap();
    assert!(sessions.list().await.unwrap().is_empty() && sessions.subagents(&id).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_file_with_lines_that_the_store_does_not_have_is_kept_under_another_name() {
    let Some(setup) = Setup::or_skip() else { return };
    let store = Arc::new(MemoryStore::new());
    let id = once(setup.agent().session_store(store.clone()), prompt("begin", [Turn::text("begun")])).await;
    let path = setup.history().session(&id).unwrap().path;
    let lines = fs::read_to_string(&path).unwrap();
    // The disk has a line that the store does not have, and lacks the last one.
    let mut other: Vec<&str> = lines.lines().collect();
    let last = other.iter().rposition(|line| line.contains("\"uuid\"")).unwrap();
    other.truncate(last);
    let own = json!({"type": "system", "uuid": "own", "parentUuid": null}).to_string();
    other.push(&own);
    fs::write(&path, other.join("\n")).unwrap();
    once(setup.agent().session_store(store).resume(&id), prompt("again", [Turn::text("resumed")])).await;
    let names = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let kept = names.filter(|path| path.to_string_lossy().contains(".jsonl.replaced-")).collect::<Vec<_>>();
    assert_eq!(kept.len(), 1);
    assert!(fs::read_to_string(&kept[0]).unwrap().contains("\"own\""));
    assert!(setup.model.requests().pop().unwrap().mentions("begun"));
}

#[tokio::test]
async fn a_fork_in_a_store_is_resumed_and_a_rename_and_a_tag_are_seen_by_the_cli() {
    let Some(first) = Setup::or_skip() else { return };
    let Some(second) = Setup::or_skip() else { return };
    let store = Arc::new(MemoryStore::new());
    let with_store = |setup: &Setup| setup.agent().session_store(store.clone()).session_store_project("tenant");
    let mut session = open(with_store(&first)).await;
    let id = say(&mut session, prompt("begin", [Turn::text("begun")])).await;
    say(&mut session, prompt("more", [Turn::text("done")])).await;
    within(session.close()).await.unwrap();
    let sessions = StoredSessions::new(store.clone(), "tenant");

    sessions.rename(&id, "a title").await.unwrap();
    sessions.tag(&id, Some("a tag")).await.unwrap();
    let renamed = sessions.session(&id).await.unwrap();
    assert_eq!((renamed.title(), renamed.tag.as_deref()), (Some("a title"), Some("a tag")));
    let end = sessions.conversation(&id).await.unwrap().messages().nth(1).unwrap().uuid.clone().unwrap();
    let copy = sessions.fork(&id, &Fork::new().up_to(end)).await.unwrap();
    assert_eq!(texts(&sessions.conversation(&copy).await.unwrap()), ["begin", "begun"]);
    assert_eq!(sessions.session(&copy).await.unwrap().title(), Some("a title (fork)"));
    sessions.delete(&id).await.unwrap();

    assert_eq!(once(with_store(&second).resume(&copy), prompt("again", [Turn::text("resumed")])).await, copy);
    let request = second.model.requests().pop().unwrap();
    assert!(request.mentions("begun") && !request.mentions("done"), "the model has the part that was copied");
    assert_eq!(second.history().session(&copy).unwrap().title.as_deref(), Some("a title (fork)"));
    let missing = sessions.fork(&copy, &Fork::new().up_to("11111111-2222-4333-8444-555555555555")).await;
    assert!(matches!(missing, Err(HistoryError::MessageNotFound { .. })), "{missing:?}");
    let gone = [sessions.rename(&id, "x").await, sessions.tag(&id, None).await];
    assert!(gone.iter().all(|result| matches!(result, Err(HistoryError::NotFound { .. }))), "{gone:?}");
}
