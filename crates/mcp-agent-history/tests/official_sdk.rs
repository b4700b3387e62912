//! Compares this crate with the official TypeScript SDK, on sessions that the real CLI wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_agent::{Agent, PermissionMode, Prompt, Session};
use mcp_agent_history::{Conversation, Filter, Fork, History, SessionInfo};
use mcp_agent_test::Block;
use mcp_agent_test::{Cli, Model, Sandbox, Turn, prompt};
use serde_json::{Value, json};
use test_env::{Missing, agent_sdk, needs, workspace};

struct Setup {
    sdk: PathBuf,
    cli: Cli,
    model: Model,
    sandbox: Sandbox,
}

impl Setup {
    fn or_skip() -> Option<Self> {
        Some(Self {
            // On a thread of its own: the installation blocks, which a thread of the runtime must not.
            sdk: needs(std::thread::spawn(agent_sdk).join().unwrap())?,
            cli: needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error)))?,
            model: Model::start().unwrap(),
            sandbox: Sandbox::new().unwrap(),
        })
    }

    async fn open(&self, change: impl FnOnce(Agent) -> Agent) -> Session {
        let agent = Agent::new().permission_mode(PermissionMode::BypassPermissions).allow_dangerously_skip_permissions();
        within(change(self.sandbox.confine(agent, &self.cli, &self.model)).open()).await.unwrap()
    }

    /// Runs the script with the SDK.
    fn official(&self, action: &str, session: &str) -> Value {
        let script = fs::read_to_string(workspace().join("crates/mcp-agent-history/tests/official_sdk.mjs")).unwrap();
        // Node finds packages by the folder of the script. Tests run at the same time, each with its own file.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let file = self.sdk.join(format!("{}-{}.mjs", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        fs::write(&file, script).unwrap();
        let mut node = Command::new("node");
        self.sandbox.apply(&mut node, &self.model).arg(&file).arg(action).arg(self.sandbox.work()).arg(session);
        node.env("PATH", std::env::var_os("PATH").unwrap());
        let output = node.output().unwrap();
        fs::remove_file(&file).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(120), future).await.expect("a result in time")
}

async fn say(session: &mut Session, text: impl Into<Prompt>) -> String {
    within(session.send(text)).await.unwrap();
    within(session.finish()).await.unwrap().expect("a result").field("session_id").unwrap()
}

fn uuids<'a>(entries: impl Iterator<Item = &'a mcp_agent_history::Entry>) -> Vec<String> {
    entries.map(|entry| entry.uuid.clone().unwrap()).collect()
}

fn all(conversation: &Conversation) -> Vec<String> {
    uuids(conversation.messages())
}

/// Reads the sessions of a directory with this crate, in the form of the script.
fn ours(history: &History, work: &Path) -> Value {
    let of = |session: SessionInfo| {
        let conversation = history.conversation(&session.id).unwrap();
        let agents = history.subagents(&session.id).unwrap().into_iter();
        let agents: serde_json::Map<String, Value> =
            agents.map(|agent| (agent.id.clone(), json!(all(&history.subagent(&session.id, &agent.id).unwrap())))).collect();
        let mut fields = json!({
            "sessionId": session.id, "customTitle": session.title, "firstPrompt": session.first_prompt,
            "summary": session.label(), "tag": session.tag, "archived": session.archived, "messages": all(&conversation),
            "page": uuids(conversation.page(1, 2)), "agents": agents,
        });
        fields.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        fields
    };
    history.list(&Filter::new().of(work)).unwrap().into_iter().map(of).collect()
}

#[tokio::test]
async fn sessions_are_read_as_the_official_sdk_reads_them() {
    let Some(setup) = Setup::or_skip() else { return };
    let history = History::of_home(setup.sandbox.home());
    let compare = || assert_eq!(ours(&history, &setup.sandbox.work()), setup.official("read", ""));

    let mut session = setup.open(|agent| agent).await;
    let read = |name: &str| Block::tool("Bash", json!({"command": format!("echo {name}")}));
    let parallel = Turn::of([read("one"), read("two"), Block::text("and"), read("three")]);
    let id = say(&mut session, prompt("several tools", [parallel, Turn::text("done")])).await;
    let inner = prompt("look", [Turn::text("seen")]);
    let task = json!({"description": "a task", "prompt": inner, "subagent_type": "general-purpose"});
    say(&mut session, prompt("delegate", [Turn::tool("Agent", task), Turn::text("delegated")])).await;
    within(session.close()).await.unwrap();
    compare();

    // A branch: the last turn is replaced by another.
    let conversation = history.conversation(&id).unwrap();
    assert!(conversation.messages().len() >= 10, "three tools and their results, a sub-agent: {conversation:?}");
    let answer = conversation.messages().find(|entry| entry.message.text() == Some("done")).unwrap().uuid.clone().unwrap();
    let mut session = setup.open(|agent| agent.resume(&id).resume_at(answer)).await;
    say(&mut session, prompt("instead", [Turn::text("other")])).await;
    within(session.close()).await.unwrap();
    assert!(!all(&history.conversation(&id).unwrap()).contains(&all(&conversation).pop().unwrap()), "the turn was left");
    compare();

    let mut session = setup.open(|agent| agent.resume(&id)).await;
    say(&mut session, Prompt::slash("compact", "")).await;
    say(&mut session, prompt("after", [Turn::text("all of it")])).await;
    within(session.close()).await.unwrap();
    compare();

    history.rename(&id, "a title").unwrap();
    history.tag(&id, Some("red")).unwrap();
    history.archive(&id).unwrap();
    compare();
    history.unarchive(&id).unwrap();
    compare();
    setup.official("archive", &id);
    compare();

    // Forks of both, and of one by the other.
    let own = history.fork(&id, &Fork::new()).unwrap();
    let official = setup.official("fork", &own)["sessionId"].as_str().unwrap().to_owned();
    compare();
    let of_both = [&own, &official].map(|id| all(&history.conversation(id).unwrap()).len());
    assert_eq!(of_both, [all(&history.conversation(&id).unwrap()).len(); 2]);
    let title = |id: &str| history.session(id).unwrap().title.unwrap();
    assert_eq!((title(&own).as_str(), title(&official).as_str()), ("a title (fork)", "a title (fork) (fork)"));
}

/// Returns the files and folders below a folder.
fn below(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(
            |path| if path.is_dir() { below(&path).into_iter().chain([path]).collect() } else { BTreeSet::from([path]) },
        )
        .collect()
}

/// Runs two sessions and returns their ids. The first one has a file backup, a large tool result and a sub-agent.
async fn two_sessions(setup: &Setup) -> [String; 2] {
    let path = setup.sandbox.work().join("notes.txt");
    fs::write(&path, "old").unwrap();
    let mut session = setup.open(Agent::file_checkpointing).await;
    let inner = prompt("look", [Turn::text("seen")]);
    let turns = [
        Turn::tool("Read", json!({"file_path": path})),
        Turn::tool("Write", json!({"file_path": path, "content": "new"})),
        Turn::tool("Bash", json!({"command": "seq 1 30000"})),
        Turn::tool("Agent", json!({"description": "d", "prompt": inner, "subagent_type": "general-purpose"})),
        Turn::text("done"),
    ];
    let id = say(&mut session, prompt("work", turns)).await;
    within(session.close()).await.unwrap();
    let mut other = setup.open(|agent| agent).await;
    let other_id = say(&mut other, prompt("hello", [Turn::text("hello")])).await;
    within(other.close()).await.unwrap();
    [id, other_id]
}

/// Returns where a session is in the folder of the CLI: files and folders whose path has its id, and files that mention it.
/// The paths have `ID` in its place, no name of a project, and at most three parts.
fn traces(home: &Path, id: &str) -> BTreeSet<String> {
    let mentions = |path: &Path| {
        let in_path = path.to_string_lossy().contains(id);
        in_path || path.is_file() && fs::read(path).unwrap().windows(id.len()).any(|part| part == id.as_bytes())
    };
    let name = |path: PathBuf| {
        let relative = path.strip_prefix(home).unwrap().to_string_lossy().replace(id, "ID");
        let mut parts: Vec<&str> = relative.split('/').collect();
        if parts[0] == "projects" && parts.len() > 1 {
            parts.remove(1);
        }
        parts.truncate(3);
        parts.join("/")
    };
    below(home).into_iter().filter(|path| mentions(path)).map(name).collect()
}

#[tokio::test]
async fn a_session_is_deleted_with_everything_that_the_official_sdk_deletes_and_its_backups() {
    let Some(setup) = Setup::or_skip() else { return };
    let Some(second) = Setup::or_skip() else { return };
    let mut deleted = Vec::new();
    for (setup, is_official) in [(&setup, true), (&second, false)] {
        let [id, other] = two_sessions(setup).await;
        let home = setup.sandbox.home().join(".claude");
        let before = traces(&home, &id);
        if is_official {
            setup.official("delete", &id);
        } else {
            History::of_home(setup.sandbox.home()).delete(&id).unwrap();
        }
        deleted.push(before.difference(&traces(&home, &id)).cloned().collect::<BTreeSet<_>>());
        let left = History::of_home(setup.sandbox.home()).list(&Filter::new()).unwrap();
        assert_eq!(left.iter().map(|session| &session.id).collect::<Vec<_>>(), [&other]);
    }
    let [official, ours] = &deleted[..] else { panic!("two sessions") };
    assert!(official.contains("projects/ID.jsonl") && official.is_subset(ours), "{deleted:?}");
    assert!(ours.contains("file-history/ID"), "{deleted:?}");
}
