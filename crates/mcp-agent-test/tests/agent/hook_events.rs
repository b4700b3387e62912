//! Every event of hooks that the real CLI can be made to send.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_agent::hook::{AnyEvent, SessionStart, SessionStartOutput, WorktreeCreate, WorktreeOutput, event_names};
use mcp_agent::{Agent, Decision, Hook, HookOutput, PermissionMode, Prompt, Session};
use mcp_agent_test::{Turn, prompt};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::test_setup::{ask, read_run, send, setup_or_skip, within};

/// The calls of hooks.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<Vec<Map<String, Value>>>>, Arc<Notify>);

impl Calls {
    /// Adds a hook for every event.
    fn record(&self, agent: Agent) -> Agent {
        event_names().fold(agent, |agent, name| {
            let calls = self.clone();
            agent.hook(Hook::<AnyEvent>::named(name), move |call| {
                calls.0.lock().unwrap().push(serde_json::from_str(call.raw().get()).unwrap());
                calls.1.notify_waiters();
                async { HookOutput::<AnyEvent>::pass() }
            })
        })
    }

    fn of(&self, event: &str) -> Vec<Map<String, Value>> {
        self.0.lock().unwrap().iter().filter(|call| call["hook_event_name"] == event).cloned().collect()
    }

    /// Waits for a call of this event in which the field has the value.
    async fn expect(&self, event: &str, field: &str, value: &Value) {
        let found = async {
            loop {
                let next = self.1.notified();
                if self.of(event).iter().any(|call| call.get(field) == Some(value)) {
                    return;
                }
                next.await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(30), found).await;
        assert!(found.is_ok(), "no {event} with {field} {value}: {:?}", self.of(event));
    }
}

async fn open(agent: Agent) -> Session {
    within(agent.open()).await.unwrap()
}

#[tokio::test]
async fn hooks_are_called_for_tools_sub_agents_and_tasks() {
    let setup = setup_or_skip!();
    let calls = Calls::default();
    // Tools for tasks are only offered with these variables.
    let agent = setup.agent().env("CLAUDE_CODE_ENABLE_TASKS", "1").env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1");
    let mut session = open(calls.record(agent).permission(|_| async { Decision::allow() })).await;
    let agent = json!({"description": "sub", "prompt": prompt("look", [Turn::text("seen")]), "subagent_type": "general-purpose",
        "run_in_background": false});
    let turns = [
        Turn::tool("Bash", json!({"command": "touch made"})),
        Turn::tool("Bash", json!({"command": "exit 3"})),
        Turn::tool("Agent", agent),
        Turn::tool("TaskCreate", json!({"subject": "a task", "description": "d"})),
        Turn::tool("TaskUpdate", json!({"taskId": "1", "status": "completed"})),
        Turn::text("done"),
    ];
    assert_eq!(ask(&mut session, turns).await, "done");
    for (event, field, value) in [
        ("UserPromptSubmit", "permission_mode", "default"),
        ("PreToolUse", "tool_name", "Bash"),
        ("PermissionRequest", "tool_name", "Bash"),
        ("PostToolUse", "tool_name", "Bash"),
        ("PostToolUseFailure", "tool_name", "Bash"),
        ("SubagentStart", "agent_type", "general-purpose"),
        ("SubagentStop", "last_assistant_message", "seen"),
        ("TaskCreated", "task_subject", "a task"),
        ("TaskCompleted", "task_subject", "a task"),
        ("MessageDisplay", "delta", "done"),
        ("Stop", "last_assistant_message", "done"),
    ] {
        calls.expect(event, field, &json!(value)).await;
    }
    let batches = calls.of("PostToolBatch");
    assert_eq!(batches[0]["tool_calls"][0]["tool_input"], json!({"command": "touch made"}), "{batches:?}");
}

#[tokio::test]
async fn hooks_are_called_for_the_conversation_and_the_model() {
    let setup = setup_or_skip!();
    setup.sandbox.file(".claude/commands/greet.md", "Say hello to $ARGUMENTS.").unwrap();
    let calls = Calls::default();
    let mut session = open(calls.record(setup.agent())).await;
    ask(&mut session, [Turn::text("hello")]).await;

    within(session.send(Prompt::slash("greet", "Ada"))).await.unwrap();
    read_run(&mut session).await;
    calls.expect("UserPromptExpansion", "command_name", &json!("greet")).await;
    calls.expect("UserPromptExpansion", "command_args", &json!("Ada")).await;

    within(session.handle().set_model(Some("haiku"))).await.unwrap();
    for event in ["PreModelSwitch", "PostModelSwitch"] {
        calls.expect(event, "requested_model", &json!("haiku")).await;
    }
    within(session.send(Prompt::slash("compact", ""))).await.unwrap();
    read_run(&mut session).await;
    for (event, field, value) in
        [("PreCompact", "trigger", "manual"), ("PostCompact", "trigger", "manual"), ("SessionStart", "source", "compact")]
    {
        calls.expect(event, field, &json!(value)).await;
    }
    within(session.send(Prompt::slash("clear", ""))).await.unwrap();
    calls.expect("SessionEnd", "reason", &json!("clear")).await;
    calls.expect("SessionStart", "source", &json!("clear")).await;
}

#[tokio::test]
async fn hooks_are_called_for_worktrees() {
    let setup = setup_or_skip!();
    let calls = Calls::default();
    let folder = setup.sandbox.tmp().join("tree");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.to_string_lossy().into_owned();
    let agent = setup.agent().permission_mode(PermissionMode::BypassPermissions).allow_dangerously_skip_permissions();
    let agent = agent.hook(Hook::<WorktreeCreate>::new(), move |_| {
        let path = path.clone();
        async move { HookOutput::specific(WorktreeOutput::new().worktree_path(path)) }
    });
    let mut session = open(calls.record(agent)).await;
    let turns = [
        Turn::tool("EnterWorktree", json!({"name": "try"})),
        Turn::tool("ExitWorktree", json!({"action": "remove", "discard_changes": true})),
        Turn::text("back"),
    ];
    assert_eq!(ask(&mut session, turns).await, "back");
    calls.expect("WorktreeCreate", "name", &json!("try")).await;
    calls.expect("WorktreeRemove", "worktree_path", &json!(folder)).await;
}

#[tokio::test]
async fn a_hook_is_called_when_the_api_fails() {
    let setup = setup_or_skip!();
    let calls = Calls::default();
    let mut session = open(calls.record(setup.agent().env("CLAUDE_CODE_MAX_RETRIES", "0"))).await;
    send(&session, [Turn::error(400)]).await;
    crate::test_setup::failed(&mut session).await;
    calls.expect("StopFailure", "hook_event_name", &json!("StopFailure")).await;
}

#[tokio::test]
async fn hooks_are_called_for_changes_of_settings_files_and_directories() {
    let setup = setup_or_skip!();
    let calls = Calls::default();
    let settings = setup.sandbox.file(".claude/settings.json", "{}").unwrap();
    let watched = setup.sandbox.file("watched.txt", "old").unwrap();
    let path = watched.to_string_lossy().into_owned();
    let agent = setup.agent().hook(Hook::<SessionStart>::new(), move |_| {
        let path = path.clone();
        async move { HookOutput::specific(SessionStartOutput::new().watch_paths([path])) }
    });
    let mut session = open(calls.record(agent)).await;
    ask(&mut session, [Turn::text("hello")]).await;
    within(session.send(Prompt::slash("clear", ""))).await.unwrap();
    calls.expect("SessionStart", "source", &json!("clear")).await;
    ask(&mut session, [Turn::text("hello")]).await;

    let sub = setup.sandbox.work().join("sub");
    std::fs::create_dir(&sub).unwrap();
    within(session.handle().register_repo_root(sub.to_str().unwrap(), false)).await.unwrap();
    calls.expect("DirectoryAdded", "source", &json!("register_repo_root")).await;
    std::fs::write(&settings, json!({"language": "french"}).to_string()).unwrap();
    calls.expect("ConfigChange", "source", &json!("project_settings")).await;
    std::fs::write(&watched, "new").unwrap();
    calls.expect("FileChanged", "event", &json!("change")).await;
}

#[tokio::test]
async fn a_hook_is_called_when_a_question_waits_for_its_answer() {
    let setup = setup_or_skip!();
    let calls = Calls::default();
    let waiting = calls.clone();
    let agent = calls.record(setup.agent()).permission(move |_| {
        let calls = waiting.clone();
        async move {
            calls.expect("Notification", "notification_type", &json!("permission_prompt")).await;
            Decision::allow()
        }
    });
    let mut session = open(agent).await;
    ask(&mut session, [Turn::tool("Bash", json!({"command": "touch made"})), Turn::text("done")]).await;
    assert!(setup.sandbox.work().join("made").exists());
}
