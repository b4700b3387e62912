//! Control requests to the real CLI. It rejects requests with wrong field names.

use mcp_agent::{Agent, Error, Message, PermissionMode, Session, ThinkingDisplay};
use mcp_agent_test::{Cli, Turn, prompt};
use serde_json::{Map, Value, json};

use crate::test_setup::{ask, read_run, send, setup_or_skip, within};

/// Returns the error message and code of a rejected request.
async fn refused<T: std::fmt::Debug>(request: impl Future<Output = Result<T, Error>>) -> (String, Option<String>) {
    match within(request).await {
        Err(Error::Refused { message, code, .. }) => (message, code),
        other => panic!("not rejected: {other:?}"),
    }
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

async fn open(agent: Agent) -> Session {
    within(agent.open()).await.unwrap()
}

#[tokio::test]
async fn requests_for_information_do_not_change_the_session() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent().allow_tools(["Read"])).await;
    ask(&mut session, [Turn::text("hello")]).await;

    let usage = within(session.handle().context_usage()).await.unwrap();
    assert!(usage.max_tokens > usage.total_tokens && usage.categories.iter().any(|part| part.kind == "free"), "{usage:?}");
    assert!(!within(session.handle().session_cost()).await.unwrap().is_empty());
    assert!(!within(session.handle().usage()).await.unwrap().session.model_usage.is_empty());
    assert!(within(session.handle().models()).await.unwrap().iter().any(|model| model.value == "default"));
    assert_eq!(within(session.handle().binary_version()).await.unwrap().version, Cli::VERSION);
    assert!(within(session.handle().settings()).await.unwrap()["effective"].is_object());
    assert!(!within(session.handle().hooks_listing()).await.unwrap().event_catalog.is_empty());
    let rules = within(session.handle().permission_rules()).await.unwrap();
    assert!(rules.state.rules.iter().any(|rule| rule.rule == "Read"), "{rules:?}");
    assert!(within(session.handle().file_suggestions("any")).await.unwrap()["suggestions"].is_array());
    assert_eq!(within(session.handle().background_tasks(None)).await.unwrap(), json!({}));
    assert_eq!(setup.model.requests().len(), 1, "only the prompt is sent to the model");
}

#[tokio::test]
async fn model_mode_and_title_can_be_changed_during_a_session() {
    let setup = setup_or_skip!();
    let mut session = open(setup.agent()).await;
    let haiku = within(session.handle().set_model(Some("haiku"))).await.unwrap().unwrap();
    assert!(haiku.contains("haiku"), "{haiku}");
    ask(&mut session, [Turn::text("hello")]).await;
    assert_eq!(setup.model.requests()[0].model(), haiku);
    assert_ne!(within(session.handle().set_model(None)).await.unwrap(), Some(haiku));

    within(session.handle().set_permission_mode(PermissionMode::Plan)).await.unwrap();
    let (_, code) = refused(session.handle().set_permission_mode(PermissionMode::BypassPermissions)).await;
    assert_eq!(code.as_deref(), Some("bypass_not_launched"));
    // No server has this name, and the CLI warns about that.
    let warning = within(session.handle().set_mcp_permission_mode("any", Some(PermissionMode::Default))).await.unwrap();
    assert!(warning.is_some());
    within(session.handle().set_mcp_permission_mode("any", None)).await.unwrap();
    within(session.handle().set_max_thinking_tokens(Some(2000), None)).await.unwrap();
    within(session.handle().set_max_thinking_tokens(None, Some(ThinkingDisplay::Omitted))).await.unwrap();
    within(session.handle().set_has_subscribers(true)).await.unwrap();
    assert_eq!(within(session.handle().side_question("why?")).await.unwrap().as_deref(), Some("ok"));
    within(session.handle().generate_title("tests")).await.unwrap();
    within(session.handle().rename("a new title")).await.unwrap();
    send(&session, [Turn::text("hello")]).await;
    let (messages, _) = read_run(&mut session).await;
    let titles = messages.iter().filter(|message| matches!(message, Message::SessionTitleChanged(_)));
    assert!(titles.clone().any(|message| message.raw().get().contains("a new title")), "{:?}", titles.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_queued_prompt_can_be_cancelled() {
    let setup = setup_or_skip!();
    let pause = setup.model.pause_point("the first answer");
    let mut session = open(setup.agent()).await;
    send(&session, [Turn::text("first").pause_midway(&pause)]).await;
    within(pause.reached()).await;
    let waiting = within(session.send(prompt("go", [Turn::text("never said")]))).await.unwrap();
    assert!(within(session.handle().cancel_prompt(&waiting)).await.unwrap());
    assert!(!within(session.handle().cancel_prompt(&waiting)).await.unwrap(), "the prompt is no longer queued");
    pause.release();
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("first"));
    assert_eq!(setup.model.requests().len(), 1);
}

#[tokio::test]
async fn files_can_be_rewound() {
    let setup = setup_or_skip!();
    let path = setup.sandbox.file("notes.txt", "old").unwrap();
    let mut session = open(setup.agent().file_checkpointing().allow_tools(["Read", "Write"])).await;
    let path_text = path.to_str().unwrap();
    let read = Turn::tool("Read", json!({"file_path": path_text}));
    let write = Turn::tool("Write", json!({"file_path": path_text, "content": "new"}));
    let sent = within(session.send(prompt("go", [read, write, Turn::text("written")]))).await.unwrap();
    read_run(&mut session).await;
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");

    let preview = within(session.handle().rewind_files_dry_run(&sent)).await.unwrap();
    assert!(preview.can_rewind && preview.files_changed == [path_text], "{preview:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    assert!(within(session.handle().rewind_files(&sent)).await.unwrap().can_rewind);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    within(session.handle().seed_read_state(path_text, 1)).await.unwrap();
}

#[tokio::test]
async fn settings_can_be_changed_and_read_back() {
    let setup = setup_or_skip!();
    let session = open(setup.agent()).await;
    within(session.handle().apply_settings(object(json!({"language": "french"})))).await.unwrap();
    assert_eq!(within(session.handle().settings()).await.unwrap()["effective"]["language"], "french");
    within(session.handle().update_settings("localSettings", object(json!({"outputStyle": "Concise"})))).await.unwrap();
    let file = setup.sandbox.work().join(".claude/settings.local.json");
    assert!(std::fs::read_to_string(file).unwrap().contains("Concise"));
    refused(session.handle().update_settings("projectSettings", object(json!({"outputStyle": "Concise"})))).await;
    assert!(!setup.sandbox.work().join(".claude/settings.json").exists());
    assert!(!within(session.handle().reload_plugins()).await.unwrap().agents.is_empty());
    assert!(!within(session.handle().reload_skills()).await.unwrap().skills.is_empty());
    assert!(!within(session.handle().reload_output_styles()).await.unwrap().available_output_styles.is_empty());
}

#[tokio::test]
async fn requests_for_unknown_names_are_rejected_with_the_name() {
    let setup = setup_or_skip!();
    let session = open(setup.agent()).await;
    let elsewhere = setup.sandbox.tmp();
    for (words, expected) in [
        (refused(session.handle().mcp_reconnect("nobody")).await, "nobody"),
        (refused(session.handle().mcp_toggle("nobody", true)).await, "nobody"),
        (refused(session.handle().mcp_call("mcp__nobody__tool", Map::new())).await, "nobody"),
        (refused(session.handle().mcp_read_resource("nobody", "ui://x")).await, "nobody"),
        (refused(session.handle().read_file("missing.txt", Some(9))).await, "missing.txt"),
    ] {
        assert!(words.0.contains(expected), "{words:?}");
    }
    refused(session.handle().task_output("nothing")).await;
    refused(session.handle().register_repo_root(elsewhere.to_str().unwrap(), true)).await;
    within(session.handle().stop_task("nothing")).await.unwrap();
    // `set_color` needs a terminal; the other request is unknown to this version.
    for request in ["set_color", "of_a_later_version"] {
        let (_, code) = refused(session.handle().request(request, json!({"color": "red"}))).await;
        assert_eq!(code.as_deref(), Some("unsupported_request"), "{request}");
    }
    let receipt = within(session.handle().interrupt_all()).await.unwrap();
    assert_eq!((receipt.still_queued.len(), receipt.cancelled.len()), (0, 0));
}

#[tokio::test]
async fn the_cli_exits_after_the_request_to_end_the_session() {
    let setup = setup_or_skip!();
    let session = open(setup.agent()).await;
    let (handle, mut messages) = session.split();
    assert_eq!(handle.welcome().claude_code_version, Cli::VERSION);
    within(handle.end_session()).await.unwrap();
    while within(messages.next()).await.unwrap().is_some() {}
    assert!(within(handle.close()).await.success());
}

#[tokio::test]
async fn variants_of_requests_are_accepted() {
    let setup = setup_or_skip!();
    // The bytes are not UTF-8.
    setup.sandbox.file("image.bin", [0xff, 0x00, 0xfe]).unwrap();
    let mut session = open(setup.agent().model("claude-opus-4-5").max_thinking_tokens(2048)).await;
    ask(&mut session, [Turn::text("hello")]).await;
    let handle = session.handle();

    let contents = within(handle.read_file_base64("image.bin", None)).await.unwrap();
    assert_eq!((contents.contents.as_str(), contents.encoding.as_deref()), ("/wD+", Some("base64")));
    assert!(within(handle.mcp_status_live()).await.unwrap().is_empty());
    let usage = within(handle.usage_without_behaviors()).await.unwrap();
    assert!(!usage.session.model_usage.is_empty() && usage.behaviors.is_none(), "{usage:?}");
    let calls = setup.model.all_requests().len();
    let estimate = within(handle.context_usage_estimate()).await.unwrap();
    assert!(estimate.max_tokens > estimate.total_tokens && estimate.total_tokens > 0, "{estimate:?}");
    assert_eq!(setup.model.all_requests().len(), calls, "an estimate sends no request to the API");

    let thinking = || setup.model.requests().pop().unwrap().body()["thinking"].clone();
    let default = thinking();
    within(handle.set_thinking_display(Some(ThinkingDisplay::Summarized))).await.unwrap();
    ask(&mut session, [Turn::text("hello")]).await;
    assert_eq!(thinking(), json!({"type": "enabled", "budget_tokens": 2048, "display": "summarized"}));
    assert_ne!(thinking(), default);
    within(handle.set_thinking_display(None)).await.unwrap();
    ask(&mut session, [Turn::text("hello")]).await;
    assert_eq!(thinking(), default);

    within(handle.rename_for_user("chosen by a user", None)).await.unwrap();
    refused(handle.rename_for_user("another", Some("5c121973-0000-4000-8000-000000000001"))).await;
    ask(&mut session, [Turn::text("hello")]).await;
}
