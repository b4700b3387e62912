//! Tests with a real Redis, and with the real CLI on two machines.

// Not on Windows: Redis and the CLI are programs of Linux here.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use interop::Debian;
use mcp_agent::Agent;
use mcp_agent::store::{SessionKey, SessionStore, StoredLine, project_folder};
use mcp_agent_history::StoredSessions;
use mcp_agent_redis::RedisStore;
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_env::{Missing, needs};
use tokio::process::{Child, Command};

/// A Redis of this test.
struct Redis {
    folder: TempDir,
    _server: Child,
}

impl Redis {
    async fn start() -> Option<Self> {
        // On a thread of its own: the installation blocks, which a thread of the runtime must not.
        let debian = needs(std::thread::spawn(Debian::services).join().unwrap())?;
        let folder = tempfile::tempdir().unwrap();
        let mut server = debian.redis_server();
        server.args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"]).arg(folder.path().join("socket"));
        server.arg("--dir").arg(folder.path()).stdout(Stdio::null());
        let server = Command::from(server).kill_on_drop(true).spawn().unwrap();
        let redis = Self { folder, _server: server };
        within(async {
            while tokio::net::UnixStream::connect(redis.socket()).await.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await;
        Some(redis)
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    async fn store(&self) -> RedisStore {
        RedisStore::connect(&format!("unix://{}", self.socket().display())).await.unwrap()
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(120), future).await.expect("a result in time")
}

fn lines(values: &[Value]) -> Vec<StoredLine> {
    values.iter().map(|value| StoredLine::parse(&value.to_string()).unwrap()).collect()
}

fn user(uuid: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": uuid}})
}

async fn ids(store: &RedisStore, project: &str) -> Vec<String> {
    let mut ids: Vec<String> =
        store.sessions(project).await.unwrap().into_iter().map(|session| session.session_id).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn lines_are_kept_in_order_and_once() {
    let Some(redis) = Redis::start().await else { return };
    let store = redis.store().await;
    let key = SessionKey::new("p", "s");
    assert_eq!(store.load(&key).await.unwrap(), None);
    let first = lines(&[user("1"), json!({"type": "custom-title", "customTitle": "mine"}), user("2")]);
    for _ in 0..2 {
        store.append(&key, &first).await.unwrap();
    }
    store.append(&key, &lines(&[user("3")])).await.unwrap();
    let stored = store.load(&key).await.unwrap().unwrap();
    let expected = [&first[..], &first[1..2], &lines(&[user("3")])].concat();
    assert_eq!(stored, expected, "a line without an id is kept each time");
    let summary = &store.sessions("p").await.unwrap()[0];
    assert_eq!((summary.title(), summary.first_prompt.as_deref()), (Some("mine"), Some("1")));
    assert!(summary.modified > 1_700_000_000_000);
}

#[tokio::test]
async fn names_cannot_be_mistaken_for_others_and_a_session_is_deleted_with_its_sub_agents() {
    let Some(redis) = Redis::start().await else { return };
    let store = redis.store().await;
    let other = redis.store().await.prefix("other");
    let key = SessionKey::new("a:b", "s");
    let agent = key.with_subpath("subagents/agent-1").unwrap();
    for key in [&key, &agent, &SessionKey::new("a", "b:s"), &SessionKey::new("a:b", "s2")] {
        store.append(key, &lines(&[user("1")])).await.unwrap();
    }
    assert_eq!((ids(&store, "a:b").await, ids(&store, "a").await), (vec!["s".into(), "s2".into()], vec!["b:s".into()]));
    assert!(ids(&other, "a:b").await.is_empty());
    assert_eq!(store.subpaths(&key).await.unwrap(), ["subagents/agent-1"]);
    store.delete(&agent).await.unwrap();
    assert!(store.subpaths(&key).await.unwrap().is_empty() && store.load(&agent).await.unwrap().is_none());
    store.append(&agent, &lines(&[user("1")])).await.unwrap();
    assert!(store.load(&agent).await.unwrap().is_some(), "its ids were deleted too");
    store.delete(&key).await.unwrap();
    assert_eq!((store.load(&key).await.unwrap(), store.load(&agent).await.unwrap()), (None, None));
    assert_eq!(ids(&store, "a:b").await, ["s2"]);
}

#[tokio::test]
async fn appends_of_several_processes_at_once_are_all_part_of_the_summary() {
    let Some(redis) = Redis::start().await else { return };
    let key = SessionKey::new("p", "s");
    let titles = ["customTitle", "aiTitle", "lastPrompt", "summary", "gitBranch"];
    let mut tasks = Vec::new();
    for (number, title) in titles.into_iter().enumerate() {
        let (store, key) = (redis.store().await, key.clone());
        tasks.push(tokio::spawn(async move {
            for n in 0..20 {
                let line = json!({"type": "x", "uuid": format!("{number}-{n}"), title: title});
                store.append(&key, &lines(&[line])).await.unwrap();
            }
        }));
    }
    for task in tasks {
        within(task).await.unwrap();
    }
    let store = redis.store().await;
    assert_eq!(store.load(&key).await.unwrap().unwrap().len(), 100);
    let summary = store.sessions("p").await.unwrap().remove(0);
    let all = [summary.custom_title, summary.generated_title, summary.last_prompt, summary.summary, summary.git_branch];
    assert_eq!(all.map(Option::unwrap), titles);
}

#[tokio::test]
async fn a_session_is_gone_when_its_time_has_passed() {
    let Some(redis) = Redis::start().await else { return };
    let store = redis.store().await.retention(Duration::from_millis(1));
    let key = SessionKey::new("p", "s");
    let agent = key.with_subpath("subagents/agent-1").unwrap();
    store.append(&agent, &lines(&[user("1")])).await.unwrap();
    store.append(&key, &lines(&[user("1")])).await.unwrap();
    within(async {
        while !ids(&store, "p").await.is_empty() || store.load(&agent).await.unwrap().is_some() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(store.load(&key).await.unwrap(), None);
    redis.store().await.append(&key, &lines(&[user("1")])).await.unwrap();
    assert_eq!(ids(&store, "p").await, ["s"]);
}

async fn once(agent: Agent, text: String) -> String {
    let mut session = within(agent.open()).await.unwrap();
    within(session.send(text)).await.unwrap();
    let id = within(session.finish()).await.unwrap().expect("a result").field("session_id").unwrap();
    within(session.close()).await.unwrap();
    id
}

#[tokio::test]
async fn a_session_of_the_real_cli_continues_on_another_machine() {
    let Some(cli) = needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error))) else { return };
    let Some(redis) = Redis::start().await else { return };
    let (model, one, two) = (Model::start().unwrap(), Sandbox::new().unwrap(), Sandbox::new().unwrap());
    let store = Arc::new(redis.store().await);
    let agent = |sandbox: &Sandbox| {
        sandbox.confine(Agent::new(), &cli, &model).session_store(store.clone()).session_store_project("tenant")
    };
    let id = once(agent(&one), prompt("begin", [Turn::text("begun")])).await;
    assert_eq!(once(agent(&two).resume(&id), prompt("go on", [Turn::text("gone on")])).await, id);
    assert!(model.requests().pop().unwrap().mentions("begun"), "the model has the conversation");
    let sessions = StoredSessions::new(store.clone(), "tenant");
    assert_eq!(sessions.conversation(&id).await.unwrap().messages().len(), 4);
    assert_eq!(sessions.list().await.unwrap().len(), 1);
    assert!(store.sessions(&project_folder(two.work())).await.unwrap().is_empty());
}
