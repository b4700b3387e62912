//! Spares: a CLI that is started before it is known which session it will serve.

use std::path::{Path, PathBuf};

use mcp_agent::{Agent, Claim, Error, PermissionMode, Spare};
use mcp_agent_test::Turn;
use mcp_core::{Server, tool, tools};
use serde_json::{Map, Value, json};

use crate::test_setup::{TestSetup, ask, setup_or_skip, within};

/// Say hello.
#[tool]
async fn greet() -> &'static str {
    "hello"
}

/// An agent without a working directory: its spares wait in a private folder.
fn agent(setup: &TestSetup) -> Agent {
    let agent = Agent::new().program(setup.cli.path()).env_clear();
    setup.sandbox.env(&setup.model).into_iter().fold(agent, |agent, (name, value)| agent.env(name, value))
}

async fn prewarm(agent: Agent) -> Spare {
    within(agent.prewarm()).await.unwrap()
}

/// The folders in which spares wait.
fn parked(setup: &TestSetup) -> Vec<PathBuf> {
    let folder = setup.sandbox.home().join(".claude/spares");
    std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// Returns the error of a claim and its code.
async fn rejection(spare: Spare, claim: Claim) -> (Error, Option<String>) {
    let error = within(spare.claim(claim)).await.expect_err("the claim is rejected");
    let code = match &error {
        Error::Refused { code, .. } => code.clone(),
        _ => None,
    };
    (error, code)
}

#[tokio::test]
async fn a_claimed_spare_has_the_directory_the_model_and_the_mode_of_the_claim() {
    let setup = setup_or_skip!();
    let agent = agent(&setup).mount("calc", Server::builder("calc", "1.0.0").tools(tools![greet]));
    let spare = prewarm(agent.allow_tools(["mcp__calc__greet"])).await;
    assert_eq!(parked(&setup).len(), 1);
    assert!(spare.pid().is_some() && !spare.welcome().models.is_empty());

    let work = std::fs::canonicalize(setup.sandbox.work()).unwrap();
    let claim =
        Claim::new(&work).model("haiku").permission_mode(PermissionMode::AcceptEdits).append_system_prompt("Speak of tea.");
    let (mut session, claimed) = within(spare.claim(claim)).await.unwrap();
    assert_eq!(Path::new(&claimed.cwd), work);
    assert!(!claimed.session_id.is_empty(), "{claimed:?}");
    assert_eq!(session.welcome().current_permission_mode.as_deref(), Some("acceptEdits"));
    assert!(parked(&setup).is_empty());

    ask(&mut session, [Turn::tool("mcp__calc__greet", json!({})), Turn::text("done")]).await;
    assert_eq!(setup.model.tool_results()[0].text, "hello");
    let request = setup.model.requests().remove(0);
    assert!(request.model().contains("haiku"), "{}", request.model());
    assert!(request.system().contains("Speak of tea.") && request.mentions(work.to_str().unwrap()));
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn settings_variables_and_directories_of_a_claim_are_applied() {
    let setup = setup_or_skip!();
    let other = setup.sandbox.tmp().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("notes.txt"), "about tea").unwrap();
    let claim = Claim::new(setup.sandbox.work())
        .settings(object(json!({"language": "french", "permissions": {"deny": ["WebFetch"]}})))
        .env("CLAUDE_CODE_HOST_SESSION_ID", "host-1")
        .add_dir(&other)
        .title("a claimed session")
        .max_thinking_tokens(Some(2048));
    let (mut session, claimed) = within(prewarm(agent(&setup)).await.claim(claim)).await.unwrap();
    let settings = within(session.handle().settings()).await.unwrap();
    assert_eq!(settings["effective"]["language"], "french");
    assert_eq!(settings["effective"]["permissions"]["deny"], json!(["WebFetch"]));
    // Without the directory, the CLI would ask, and this agent has no callback.
    let read = Turn::tool("Read", json!({"file_path": other.join("notes.txt")}));
    ask(&mut session, [read, Turn::text("done")]).await;
    let result = setup.model.tool_results().remove(0);
    assert!(!result.is_error && result.text.contains("about tea"), "{result:?}");
    assert!(!claimed.sdk_mcp_settled || claimed.parked_ms.is_some());
    within(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_claim_that_is_rejected_ends_the_cli_and_removes_the_folder() {
    let setup = setup_or_skip!();
    let work = setup.sandbox.work();
    for (claim, expected) in [
        (Claim::new(work.join("missing")), "cwd_not_found"),
        (Claim::new(&work).permission_mode(PermissionMode::BypassPermissions), "permission_mode_not_claimable"),
        (Claim::new(&work).env("LD_PRELOAD", "/tmp/x.so"), "env_key_not_claimable"),
    ] {
        let (error, code) = rejection(prewarm(agent(&setup)).await, claim).await;
        assert_eq!(code.as_deref(), Some(expected), "{error}");
        assert!(parked(&setup).is_empty());
    }
    assert!(setup.model.requests().is_empty());
}

#[tokio::test]
async fn settings_of_hooks_are_rejected_before_anything_is_sent() {
    let setup = setup_or_skip!();
    let claim = Claim::new(setup.sandbox.work()).settings(object(json!({"disableAllHooks": true})));
    let (error, _) = rejection(prewarm(agent(&setup)).await, claim).await;
    let reason = "disableAllHooks";
    assert!(matches!(&error, Error::Options(fault) if fault.to_string().contains(reason)), "{error:?}");
}

#[tokio::test]
async fn a_spare_that_is_closed_or_dropped_leaves_no_folder() {
    let setup = setup_or_skip!();
    let spare = prewarm(agent(&setup)).await;
    assert!(within(spare.close()).await.unwrap().success());
    assert!(parked(&setup).is_empty());
    let spare = prewarm(agent(&setup)).await;
    assert_eq!(parked(&setup).len(), 1);
    drop(spare);
    assert!(parked(&setup).is_empty());
}

#[tokio::test]
async fn a_spare_that_has_exited_reports_how() {
    let setup = setup_or_skip!();
    let spare = prewarm(agent(&setup)).await;
    let pid = rustix::process::Pid::from_raw(spare.pid().unwrap().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert!(!within(spare.exited()).await.success());
    let error = within(spare.claim(Claim::new(setup.sandbox.work()))).await.expect_err("the CLI has exited");
    assert!(matches!(error, Error::Ended(_)), "{error}");
}

#[tokio::test]
async fn a_spare_can_wait_in_a_directory_of_the_program() {
    let setup = setup_or_skip!();
    let spare = prewarm(agent(&setup).cwd(setup.sandbox.tmp())).await;
    assert!(parked(&setup).is_empty());
    let (session, claimed) = within(spare.claim(Claim::new(setup.sandbox.work()))).await.unwrap();
    assert_eq!(Path::new(&claimed.cwd), std::fs::canonicalize(setup.sandbox.work()).unwrap());
    within(session.close()).await.unwrap();
    assert!(setup.sandbox.tmp().is_dir());
}

#[tokio::test]
async fn options_that_need_a_session_are_rejected() {
    for (agent, other) in [
        (Agent::new().continue_latest(), "resumes"),
        (Agent::new().resume("1"), "resumes"),
        (Agent::new().user("nobody"), "user without cwd"),
    ] {
        let error = within(agent.prewarm()).await.expect_err("rejected");
        assert!(matches!(&error, Error::Options(reason) if reason.to_string().contains(other)), "{error:?}");
    }
}
