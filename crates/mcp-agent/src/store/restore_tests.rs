//! Tests of resuming from a store, without a CLI.

use std::fs;
use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::agent::Agent;
use crate::error::StartError;
use crate::options::{Options, Origin};
use crate::sys;

/// A store that answers with what the test says.
#[derive(Debug, Default)]
struct Odd {
    store: MemoryStore,
    subpaths: Vec<String>,
    hangs: bool,
}

impl SessionStore for Odd {
    fn append<'a>(&'a self, key: &'a SessionKey, lines: &'a [StoredLine]) -> Pending<'a, Result<(), StoreError>> {
        self.store.append(key, lines)
    }

    fn load<'a>(&'a self, key: &'a SessionKey) -> Pending<'a, Result<Option<Vec<StoredLine>>, StoreError>> {
        if self.hangs { Box::pin(pending()) } else { self.store.load(key) }
    }

    fn sessions<'a>(&'a self, project: &'a str) -> Pending<'a, Result<Vec<SessionSummary>, StoreError>> {
        self.store.sessions(project)
    }

    fn subpaths<'a>(&'a self, _: &'a SessionKey) -> Pending<'a, Result<Vec<String>, StoreError>> {
        Box::pin(async { Ok(self.subpaths.clone()) })
    }
}

/// A home and a working directory, and an agent that would run in them.
struct Disk {
    root: TempDir,
    agent: Agent,
}

impl Disk {
    fn new(store: Arc<dyn SessionStore>) -> Self {
        let root = tempfile::tempdir().unwrap();
        let agent = Agent::new().env_clear().env(sys::HOME, root.path()).cwd(root.path()).session_store(store);
        Self { root, agent: agent.session_store_project("p") }
    }

    fn file(&self, name: &str) -> PathBuf {
        let folder = project_folder(self.root.path().canonicalize().unwrap());
        self.root.path().join(".claude/projects").join(folder).join(name)
    }

    async fn restore(&self, change: impl FnOnce(Agent) -> Agent) -> Result<Options, StartError> {
        let mut options = change(self.agent.clone()).options;
        restore(&mut options).await?;
        Ok(options)
    }
}

fn line(value: &Value) -> StoredLine {
    StoredLine::parse(&value.to_string()).unwrap()
}

async fn stored(store: &dyn SessionStore, session: &str, uuid: &str) {
    let side = json!({"type": "user", "uuid": uuid, "isSidechain": uuid == "side"});
    store.append(&SessionKey::new("p", session), &[line(&side)]).await.unwrap();
}

fn resumed(options: &Options) -> Option<&str> {
    match &options.conversation.origin {
        Origin::Session(id) => Some(id),
        _ => None,
    }
}

#[tokio::test]
async fn the_latest_session_that_is_not_of_a_sub_agent_is_resumed() {
    let store = Arc::new(MemoryStore::new());
    let disk = Disk::new(store.clone());
    assert_eq!(resumed(&disk.restore(Agent::continue_latest).await.unwrap()), None, "the store is empty");
    for (session, uuid) in [("one", "1"), ("two", "2"), ("three", "side"), ("../four", "4")] {
        stored(store.as_ref(), session, uuid).await;
    }
    assert_eq!(resumed(&disk.restore(Agent::continue_latest).await.unwrap()), Some("two"));
    assert_eq!(fs::read_to_string(disk.file("two.jsonl")).unwrap().lines().count(), 1);
    assert!(!disk.file("one.jsonl").exists());
}

#[tokio::test]
async fn a_file_that_has_all_lines_of_the_store_is_kept_and_an_older_one_is_replaced() {
    let store = Arc::new(MemoryStore::new());
    let disk = Disk::new(store.clone());
    stored(store.as_ref(), "s", "1").await;
    disk.restore(|agent| agent.resume("s")).await.unwrap();
    let more = format!("{}{}\n", fs::read_to_string(disk.file("s.jsonl")).unwrap(), json!({"uuid": "2"}));
    fs::write(disk.file("s.jsonl"), &more).unwrap();
    disk.restore(|agent| agent.resume("s")).await.unwrap();
    assert_eq!(fs::read_to_string(disk.file("s.jsonl")).unwrap(), more);
    for uuid in ["2", "3"] {
        stored(store.as_ref(), "s", uuid).await;
    }
    disk.restore(|agent| agent.resume("s")).await.unwrap();
    assert_eq!(fs::read_to_string(disk.file("s.jsonl")).unwrap().lines().count(), 3);
    let names = fs::read_dir(disk.file("")).unwrap().count();
    assert_eq!(names, 1, "nothing was lost, so nothing is kept under another name");
}

#[tokio::test]
async fn a_session_that_the_store_does_not_have_is_left_to_the_disk() {
    let disk = Disk::new(Arc::new(MemoryStore::new()));
    let options = disk.restore(|agent| agent.resume("s")).await.unwrap();
    assert_eq!((resumed(&options), disk.file("s.jsonl").exists()), (Some("s"), false));
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_is_an_error_after_the_time_limit() {
    let disk = Disk::new(Arc::new(Odd { hangs: true, ..Odd::default() }));
    let start = tokio::time::Instant::now();
    let limit = Duration::from_secs(3);
    let error = disk.restore(|agent| agent.resume("s").session_store_load_timeout(limit)).await.unwrap_err();
    assert_eq!(start.elapsed().as_secs(), 3);
    assert!(matches!(&error, StartError::SessionStore { .. }), "{error:?}");
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!((error.to_string().contains("load a transcript"), source.contains("3s")), (true, true), "{error}: {source}");
}

#[tokio::test]
async fn a_subpath_that_leads_out_of_the_session_is_an_error() {
    let odd = Odd { subpaths: vec!["../../../../evil".to_owned()], ..Odd::default() };
    stored(&odd, "s", "1").await;
    let disk = Disk::new(Arc::new(odd));
    let error = disk.restore(|agent| agent.resume("s")).await.unwrap_err();
    assert!(std::error::Error::source(&error).unwrap().to_string().contains("invalid subpath"), "{error:?}");
    assert!(!disk.root.path().join("evil.jsonl").exists());
}

#[tokio::test]
async fn a_session_that_is_not_written_to_disk_cannot_be_stored() {
    let disk = Disk::new(Arc::new(MemoryStore::new()));
    let error = disk.agent.clone().persist_session(false).open().await.unwrap_err();
    assert!(matches!(error, crate::Error::Options(_)), "{error:?}");
}
