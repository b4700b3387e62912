//! Hooks, called by the real CLI.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_agent::hook::{PostToolUse, PostToolUseOutput, PreToolUse, Stop, UserPromptSubmit};
use mcp_agent::{Hook, HookOutput};
use mcp_agent_test::Turn;
use serde_json::json;

use crate::test_setup::{ask, read_run, send, setup_or_skip, within};

fn echoing(word: &str) -> [Turn; 2] {
    let input = json!({"command": format!("echo {word}"), "description": "say"});
    [Turn::tool("Bash", input), Turn::text("done")]
}

#[tokio::test]
async fn a_hook_can_deny_a_tool_use_and_the_model_gets_the_reason() {
    let setup = setup_or_skip!();
    let agent = setup.agent().allow_tools(["Bash"]);
    let agent = agent.hook(Hook::<PreToolUse>::new().matcher("Bash"), |call| async move {
        assert_eq!(call.tool_name, "Bash");
        PreToolUse::deny("the hook says no")
    });
    let mut session = within(agent.open()).await.unwrap();
    assert_eq!(ask(&mut session, echoing("hello")).await, "done");
    let results = setup.model.tool_results();
    assert!(results[0].is_error && results[0].text.contains("the hook says no"), "{results:?}");
}

#[tokio::test]
async fn a_hook_can_replace_the_input_of_a_tool() {
    let setup = setup_or_skip!();
    let agent = setup.agent().allow_tools(["Bash"]).hook(Hook::<PreToolUse>::new(), |call| async move {
        let mut input = call.tool_input.as_object().cloned().unwrap_or_default();
        input.insert("command".into(), json!("echo rewritten"));
        PreToolUse::rewrite(input)
    });
    let mut session = within(agent.open()).await.unwrap();
    assert_eq!(ask(&mut session, echoing("hello")).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "rewritten");
}

#[tokio::test]
async fn a_hook_that_times_out_denies_the_tool_use_and_is_dropped() {
    let setup = setup_or_skip!();
    let (sender, mut dropped) = tokio::sync::mpsc::unbounded_channel::<()>();
    let hook = Hook::<PreToolUse>::new().timeout(Duration::from_secs(1));
    let agent = setup.agent().allow_tools(["Bash"]).hook(hook, move |_| {
        let notify_on_drop = NotifyOnDrop(sender.clone());
        async move {
            let _notify_on_drop = notify_on_drop;
            std::future::pending::<HookOutput<PreToolUse>>().await
        }
    });
    let mut session = within(agent.open()).await.unwrap();
    assert_eq!(ask(&mut session, echoing("hello")).await, "done");
    assert!(setup.model.tool_results()[0].is_error);
    within(dropped.recv()).await.unwrap();
}

struct NotifyOnDrop(tokio::sync::mpsc::UnboundedSender<()>);

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[tokio::test]
async fn a_failed_hook_is_ignored_unless_it_has_block_on_failure() {
    for (hook, runs) in [(Hook::<PreToolUse>::new(), true), (Hook::new().block_on_failure(), false)] {
        let setup = setup_or_skip!();
        let agent = setup.agent().allow_tools(["Bash"]);
        let agent = agent.hook(hook, |_| async { Err::<HookOutput<PreToolUse>, _>("out of order") });
        let mut session = within(agent.open()).await.unwrap();
        assert_eq!(ask(&mut session, echoing("hello")).await, "done");
        assert_eq!(setup.model.tool_results()[0].text == "hello", runs, "{:?}", setup.model.tool_results());
        within(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn a_panicking_hook_gets_a_response_and_the_tool_runs() {
    let setup = setup_or_skip!();
    let agent = setup.agent().allow_tools(["Bash"]);
    let agent = agent.hook(Hook::<PreToolUse>::new(), |call| async move {
        assert!(call.tool_name.is_empty(), "on purpose");
        HookOutput::pass()
    });
    let mut session = within(agent.open()).await.unwrap();
    assert_eq!(ask(&mut session, echoing("hello")).await, "done");
    assert_eq!(setup.model.tool_results()[0].text, "hello");
}

#[tokio::test]
async fn a_hook_after_a_tool_use_can_replace_the_result() {
    let setup = setup_or_skip!();
    let agent = setup.agent().allow_tools(["Bash"]).hook(Hook::<PostToolUse>::new(), |_| async {
        HookOutput::<PostToolUse>::specific(PostToolUseOutput::new().additional_context("MORE TO KNOW"))
    });
    let mut session = within(agent.open()).await.unwrap();
    ask(&mut session, echoing("hello")).await;
    let last = setup.model.requests().pop().unwrap();
    assert!(last.body().to_string().contains("MORE TO KNOW"));
}

#[tokio::test]
async fn a_stop_hook_can_prevent_the_stop_and_a_prompt_hook_can_block_a_prompt() {
    let setup = setup_or_skip!();
    let stops: Arc<Mutex<u32>> = Arc::default();
    let count = Arc::clone(&stops);
    let agent = setup.agent().hook(Hook::<Stop>::new(), move |_| {
        let mut stops = count.lock().unwrap();
        *stops += 1;
        let first = *stops == 1;
        async move { if first { HookOutput::block("there is more") } else { HookOutput::<Stop>::pass() } }
    });
    let agent = agent.hook(Hook::<UserPromptSubmit>::new(), |call| {
        let refuse = call.prompt.contains("forbidden");
        async move { if refuse { HookOutput::block("no such talk") } else { HookOutput::<UserPromptSubmit>::pass() } }
    });
    let mut session = within(agent.open()).await.unwrap();
    assert_eq!(ask(&mut session, [Turn::text("first"), Turn::text("second")]).await, "second");
    within(session.send("something forbidden")).await.unwrap();
    read_run(&mut session).await;
    assert!(!setup.model.requests().iter().any(|request| request.mentions("forbidden")));
    send(&session, [Turn::text("third")]).await;
    read_run(&mut session).await;
}
