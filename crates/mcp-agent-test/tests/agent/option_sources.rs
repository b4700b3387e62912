//! Options whose effect is in what the real CLI reads, writes and asks.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_agent::{
    Agent, Decision, McpServer, McpServersDelivery, Message, PermissionBehavior, PermissionPrompts, SettingSource,
    TurnFailure,
};
use mcp_agent_test::{Turn, prompt};
use mcp_core::{Builder, Server, tool, tools};
use serde_json::{Value, json};

use crate::test_setup::{ask, failure, read_run, send, setup_or_skip, within};

fn touching(file: &str) -> [Turn; 2] {
    [Turn::tool("Bash", json!({"command": format!("touch {file}"), "description": "touch"})), Turn::text("done")]
}

/// Opens a session, runs a turn, and returns its messages.
async fn turn(agent: Agent) -> Vec<Message> {
    let mut session = within(agent.open()).await.unwrap();
    send(&session, [Turn::text("hello")]).await;
    let messages = read_run(&mut session).await.0;
    within(session.close()).await.unwrap();
    messages
}

/// Returns the deny rules of a session.
async fn denied(agent: Agent) -> Vec<String> {
    let session = within(agent.open()).await.unwrap();
    let listed = within(session.handle().permission_rules()).await.unwrap();
    within(session.close()).await.unwrap();
    let denied = listed.state.rules.iter().filter(|rule| rule.behavior == PermissionBehavior::Deny);
    denied.map(|rule| rule.rule.clone()).collect()
}

fn denying(rule: &str) -> String {
    json!({"permissions": {"deny": [rule]}}).to_string()
}

#[tokio::test]
async fn only_the_settings_of_the_chosen_sources_are_read() {
    let setup = setup_or_skip!();
    setup.sandbox.file(".claude/settings.json", denying("Bash(touch project)")).unwrap();
    setup.sandbox.file(".claude/settings.local.json", denying("Bash(touch local)")).unwrap();
    let extra = setup.sandbox.tmp().join("extra.json");
    std::fs::write(&extra, denying("Bash(touch file)")).unwrap();
    let (project, local, file) = ("Bash(touch project)", "Bash(touch local)", "Bash(touch file)");
    let only = |sources: Vec<SettingSource>| setup.agent().setting_sources(sources);
    assert_eq!(sorted(denied(setup.agent()).await), [local, project]);
    assert_eq!(denied(only(vec![SettingSource::Local])).await, [local]);
    assert_eq!(denied(only(vec![SettingSource::Project])).await, [project]);
    assert_eq!(denied(only(vec![])).await, Vec::<String>::new());
    assert_eq!(denied(only(vec![]).settings_file(&extra)).await, [file]);
    let root = setup.sandbox.tmp().join("root");
    std::fs::create_dir_all(root.join(".claude")).unwrap();
    std::fs::write(root.join(".claude/settings.json"), denying("Bash(touch root)")).unwrap();
    let rooted = denied(only(vec![SettingSource::Project]).project_config_root(&root)).await;
    assert_eq!(rooted, ["Bash(touch root)"]);
}

fn sorted(mut rules: Vec<String>) -> Vec<String> {
    rules.sort();
    rules
}

#[tokio::test]
async fn a_strict_configuration_leaves_out_the_servers_of_the_project() {
    let setup = setup_or_skip!();
    let servers = json!({"mcpServers": {"of-project": {"command": "/nowhere"}}});
    setup.sandbox.file(".mcp.json", servers.to_string()).unwrap();
    for (delivery, strict) in [
        (McpServersDelivery::Arguments, false),
        (McpServersDelivery::Initialize, false),
        (McpServersDelivery::Arguments, true),
        (McpServersDelivery::Initialize, true),
    ] {
        let agent = setup.agent().mcp_server("of-agent", McpServer::stdio("/nowhere")).strict_mcp_config(strict);
        let session = within(agent.mcp_servers_delivery(delivery).open()).await.unwrap();
        let status = within(session.handle().mcp_status()).await.unwrap();
        let names = sorted(status.iter().map(|server| server.name.clone()).collect());
        let expected: &[&str] = if strict { &["of-agent"] } else { &["of-agent", "of-project"] };
        assert_eq!(names, expected, "{delivery:?}");
        within(session.close()).await.unwrap();
    }
}

/// Returns the transcripts below a folder.
fn transcripts(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let below: Vec<_> = folders.iter().flat_map(|folder| transcripts(folder)).collect();
    files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "jsonl")).chain(below).collect()
}

#[tokio::test]
async fn a_session_is_written_to_disk_unless_the_agent_says_otherwise() {
    let setup = setup_or_skip!();
    turn(setup.agent().persist_session(false)).await;
    assert_eq!(transcripts(&setup.sandbox.home()), Vec::<std::path::PathBuf>::new());
    turn(setup.agent()).await;
    assert_eq!(transcripts(&setup.sandbox.home()).len(), 1);
}

/// Decide about a tool use.
#[tool]
async fn decide(tool_name: String, input: Value, tool_use_id: String) -> String {
    let _ = (input, tool_use_id);
    json!({"behavior": "deny", "message": format!("the server says no to {tool_name}")}).to_string()
}

fn asker() -> Builder {
    Server::builder("asker", "1.0.0").tools(tools![decide])
}

#[tokio::test]
async fn a_tool_of_a_server_or_nobody_can_decide_about_permissions() {
    let setup = setup_or_skip!();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let nobody = setup.agent().permission_prompts(PermissionPrompts::None).permission(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        async { Decision::allow() }
    });
    let mut session = within(nobody.open()).await.unwrap();
    ask(&mut session, touching("made")).await;
    assert!(setup.model.tool_results()[0].is_error && asked.load(Ordering::Relaxed) == 0);
    within(session.close()).await.unwrap();
    let agent = setup.agent().mount("asker", asker()).permission_prompt_tool("mcp__asker__decide");
    let mut session = within(agent.open()).await.unwrap();
    ask(&mut session, touching("made")).await;
    let result = setup.model.tool_results().pop().unwrap();
    assert_eq!((result.text.as_str(), result.is_error), ("the server says no to Bash", true));
    within(session.close()).await.unwrap();
    assert!(!setup.sandbox.work().join("made").exists());
}

#[tokio::test]
async fn hooks_of_the_settings_are_reported_if_the_agent_says_so() {
    let setup = setup_or_skip!();
    let hooks = json!({"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo from-the-hook"}]}]}});
    setup.sandbox.file(".claude/settings.json", hooks.to_string()).unwrap();
    for on in [false, true] {
        let messages = turn(setup.agent().hook_events(on)).await;
        let started = messages.iter().any(|message| matches!(message, Message::HookStarted(_)));
        let answered = messages.iter().any(|message| matches!(message, Message::HookResponse(_)));
        assert_eq!((started, answered), (on, on));
    }
}

#[tokio::test]
async fn text_of_sub_agents_is_a_message_if_the_agent_says_so() {
    let setup = setup_or_skip!();
    for on in [false, true] {
        let mut session = within(setup.agent().forward_subagent_text(on).open()).await.unwrap();
        let inner = prompt("Look.", [Turn::text("seen below")]);
        let task =
            json!({"description": "d", "prompt": inner, "subagent_type": "general-purpose", "run_in_background": false});
        send(&session, [Turn::tool("Agent", task), Turn::text("done")]).await;
        let messages = read_run(&mut session).await.0;
        let below = |message: &Message| matches!(message, Message::Assistant(answer) if answer.parent_tool_use_id.is_some());
        assert_eq!(messages.iter().any(below), on);
        within(session.close()).await.unwrap();
    }
}

/// Makes a session of two turns. Returns its id, the id of its first answer, and the id of its second prompt.
async fn two_turns(agent: Agent) -> [String; 3] {
    let mut session = within(agent.open()).await.unwrap();
    send(&session, [Turn::text("one")]).await;
    let (messages, result) = read_run(&mut session).await;
    let answer = messages.iter().find(|message| matches!(message, Message::Assistant(_))).unwrap();
    let second = within(session.send(prompt("the second prompt", [Turn::text("two")]))).await.unwrap();
    read_run(&mut session).await;
    within(session.close()).await.unwrap();
    [result.session_id.clone().unwrap(), answer.head().uuid.unwrap(), second]
}

#[tokio::test]
async fn a_session_can_be_resumed_without_its_last_turn_and_with_another_system_prompt() {
    let setup = setup_or_skip!();
    let [id, answer, second] = two_turns(setup.agent().system_prompt("You are a teapot.")).await;
    for (keeps, kept) in [(true, "You are a teapot."), (false, "You are a kettle.")] {
        turn(setup.agent().system_prompt("You are a kettle.").system_prompt_snapshot(keeps).resume(&id).fork()).await;
        let request = setup.model.requests().pop().unwrap();
        assert!(request.system().contains(kept) && request.mentions("the second prompt"), "{}", request.system());
    }
    let at = || setup.agent().resume(&id).fork().resume_at(&answer);
    turn(at().resume_drops_turn(&second)).await;
    assert!(!setup.model.requests().pop().unwrap().mentions("the second prompt"));
    let other = "5c121973-0000-4000-8000-00000000000c";
    let refused = within(at().resume_drops_turn(other).open()).await.unwrap_err();
    assert!(refused.ending().is_some(), "{refused}");
}

#[tokio::test]
async fn an_interrupt_spares_background_agents_if_each_can_be_stopped() {
    for spares in [false, true] {
        let setup = setup_or_skip!();
        let (below, above) = (setup.model.pause_point("below"), setup.model.pause_point("above"));
        let mut session = within(setup.agent().per_task_stop(spares).open()).await.unwrap();
        let inner = prompt("Look.", [Turn::text("seen below").pause_midway(&below)]);
        let task =
            json!({"description": "d", "prompt": inner, "subagent_type": "general-purpose", "run_in_background": true});
        send(&session, [Turn::tool("Agent", task), Turn::text("some words").pause_midway(&above)]).await;
        within(below.reached()).await;
        within(above.reached()).await;
        within(session.interrupt()).await.unwrap();
        assert_eq!(failure(&mut session).await.failure, TurnFailure::Interrupted);
        // The request of an agent that was stopped is cut off before its answer is released.
        let stopped = || setup.model.requests().iter().filter(|request| request.client_disconnected()).count();
        if spares {
            below.release();
            within(setup.model.wait_until_idle()).await;
            assert_eq!(stopped(), 1);
        } else {
            within(setup.model.wait_until_idle()).await;
            assert_eq!(stopped(), 2);
        }
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn another_program_can_start_the_cli() {
    let setup = setup_or_skip!();
    let agent = setup.agent().allow_tools(["Bash"]).launch(|launch| Ok(launch.through("env", ["MARK=set"]).into_command()));
    let mut session = within(agent.open()).await.unwrap();
    ask(&mut session, [Turn::tool("Bash", json!({"command": "echo $MARK", "description": "d"})), Turn::text("done")]).await;
    assert_eq!(setup.model.tool_results()[0].text, "set");
    within(session.close()).await.unwrap();
}
