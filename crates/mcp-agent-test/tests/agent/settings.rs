//! Permission settings of the real CLI, held against the same settings in `mcp_guard::Rules`.

// Not on Windows: the settings of an administrator are mounted in a namespace of Linux.
#[cfg(target_os = "linux")]
mod managed;
mod project;
mod switches;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_agent::{Agent, Decision};
use mcp_agent_test::{Block, ToolUse, Turn};
use mcp_guard::{Behavior, Rules};
use serde_json::{Value, json};

use crate::test_setup::{TestSetup, ask, within};

/// A place of a settings file. The CLI runs in the folder `inner` of a repository.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// The project settings of the working directory.
    Project,
    Local,
    User,
    /// The project settings in the root of the repository.
    Root,
    RootLocal,
    /// The file of the administrator.
    Managed,
    /// A file in the folder of the administrator.
    ManagedPart,
}

/// Settings files, a tool use, and what the CLI and the rules do with it.
struct Row {
    files: Vec<(Place, Value)>,
    trusts: bool,
    tool: (&'static str, Value),
    cli: Behavior,
    rules: Behavior,
}

impl Row {
    /// A row in which the rules decide like the CLI.
    fn same(files: impl Into<Vec<(Place, Value)>>, tool: (&'static str, Value), both: Behavior) -> Self {
        Self { files: files.into(), trusts: false, tool, cli: both, rules: both }
    }

    /// A row in which the rules decide otherwise than the CLI.
    fn differs(files: impl Into<Vec<(Place, Value)>>, tool: (&'static str, Value), cli: Behavior, rules: Behavior) -> Self {
        Self { cli, ..Self::same(files, tool, rules) }
    }

    /// The user has accepted the CLI's dialog for the project.
    fn trusted(self) -> Self {
        Self { trusts: true, ..self }
    }
}

/// Settings with these permissions.
fn permissions(permissions: Value) -> Value {
    json!({ "permissions": permissions })
}

/// A command that the CLI asks about if no rule matches it.
fn touch() -> (&'static str, Value) {
    ("Bash", json!({"command": "touch made", "description": "touch"}))
}

/// A command that the CLI allows if no rule matches it.
fn echo() -> (&'static str, Value) {
    ("Bash", json!({"command": "echo hello", "description": "echo"}))
}

/// Creates the file `new` in a folder.
fn write(folder: &Path) -> (&'static str, Value) {
    ("Write", json!({"file_path": folder.join("new"), "content": "x"}))
}

/// The folders of the sandbox that the rows refer to.
struct Folders {
    root: PathBuf,
    work: PathBuf,
    home: PathBuf,
    outside: PathBuf,
}

impl Folders {
    fn new(setup: &TestSetup) -> Self {
        let root = setup.sandbox.work().canonicalize().unwrap();
        let home = setup.sandbox.home().canonicalize().unwrap();
        let outside = setup.sandbox.tmp().canonicalize().unwrap().join("outside");
        let work = root.join("inner");
        for folder in [&root.join(".git"), &work, &outside] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(outside.join("file"), "content").unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        for folder in ["objects", "refs"] {
            fs::create_dir_all(root.join(".git").join(folder)).unwrap();
        }
        Self { root, work, home, outside }
    }

    fn file(&self, place: Place) -> PathBuf {
        match place {
            Place::Project => self.work.join(".claude/settings.json"),
            Place::Local => self.work.join(".claude/settings.local.json"),
            Place::User => self.home.join(".claude/settings.json"),
            Place::Root => self.root.join(".claude/settings.json"),
            Place::RootLocal => self.root.join(".claude/settings.local.json"),
            Place::Managed => PathBuf::from("/etc/claude-code/managed-settings.json"),
            Place::ManagedPart => PathBuf::from("/etc/claude-code/managed-settings.d/10-part.json"),
        }
    }
}

fn write_json(path: &Path, content: &Value) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content.to_string()).unwrap();
}

/// Runs every row in a session of its own, and lists those with another decision.
async fn check(setup: &TestSetup, folders: &Folders, rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for Row { files, trusts, tool: (tool, input), cli, rules } in rows {
        for (place, settings) in &files {
            write_json(&folders.file(*place), settings);
        }
        let accepted = json!({"hasTrustDialogAccepted": trusts});
        let projects = json!({folders.root.to_str().unwrap(): accepted, folders.work.to_str().unwrap(): accepted});
        write_json(&folders.home.join(".claude.json"), &json!({ "projects": projects }));
        let by_rules = Rules::load(&folders.work, &folders.home).unwrap().resolve(tool, &input).behavior;
        let by_cli = behavior_of_cli(setup, setup.agent().cwd(&folders.work), tool, &input).await;
        for (place, _) in &files {
            fs::remove_file(folders.file(*place)).unwrap();
        }
        for folder in [&folders.work, &folders.outside] {
            let _ = fs::remove_file(folder.join("new"));
        }
        if (by_cli, by_rules) != (cli, rules) {
            wrong.push(format!("{files:?} {tool} {input} trusted={trusts}: CLI {by_cli:?}, rules {by_rules:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs one tool use, and returns whether it ran without a question, was asked about, or was denied without a question.
async fn behavior_of_cli(setup: &TestSetup, agent: Agent, tool: &str, input: &Value) -> Behavior {
    let asked = Arc::new(AtomicBool::new(false));
    let note = Arc::clone(&asked);
    let agent = agent.permission(move |_| {
        note.store(true, Ordering::Relaxed);
        async { Decision::deny("asked") }
    });
    let mut session = within(agent.open()).await.unwrap();
    // The CLI does not offer a tool that is denied as a whole.
    let turn = Turn::of([Block::from(ToolUse::new(tool, input.clone()).force())]);
    ask(&mut session, [turn, Turn::text("done")]).await;
    let _ = within(session.close()).await;
    match (asked.load(Ordering::Relaxed), setup.model.tool_results().last().unwrap().is_error) {
        (true, _) => Behavior::Ask,
        (false, true) => Behavior::Deny,
        (false, false) => Behavior::Allow,
    }
}
