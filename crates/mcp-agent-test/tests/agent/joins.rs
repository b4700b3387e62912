//! Sessions that another program has opened, and a repeated `initialize`.

use mcp_agent::hook::PreToolUse;
use mcp_agent::{Agent, Decision, DialogAnswer, ElicitationAnswer, Error, Hook, SystemPrompt};
use mcp_agent_test::{Script, ScriptedCli};
use mcp_core::Server;
use serde_json::{Value, json};

use crate::test_setup::{read_run, within};

fn question(id: &str, request: &Value) -> Value {
    json!({"type": "control_request", "request_id": id, "request": request})
}

/// Adds one open question of each kind to a response.
fn with_questions(mut response: Value) -> Value {
    let tool = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t"});
    response["pending_permission_requests"] = json!([question("permission", &tool)]);
    let dialog = json!({"subtype": "request_user_dialog", "dialog_kind": "confirm", "payload": {}});
    response["pending_user_dialog_requests"] = json!([question("dialog", &dialog)]);
    let elicitation = json!({"subtype": "elicitation", "mcp_server_name": "forms", "message": "Which?"});
    response["pending_elicitation_requests"] = json!([question("elicitation", &elicitation)]);
    json!({"type": "control_response", "response": response})
}

fn success(request: &str, payload: Value) -> Value {
    json!({"subtype": "success", "request_id": format!("${request}/request_id"), "response": payload})
}

fn refusal(request: &str) -> Value {
    json!({"subtype": "error", "request_id": format!("${request}/request_id"), "error": "already initialized"})
}

/// Waits for an `initialize` request with these fields, under a name.
fn initialize(script: Script, name: &str, fields: Value) -> Script {
    let mut request = fields;
    request["subtype"] = json!("initialize");
    script.expect_as(name, json!({"type": "control_request", "request": request}))
}

fn expect_answers(script: Script) -> Script {
    script.expect_response("permission").expect_response("dialog").expect_response("elicitation")
}

/// An agent that answers each kind of question.
fn answering(cli: &ScriptedCli) -> Agent {
    Agent::new()
        .transport(cli.clone())
        .permission(|ask| async move { Decision::deny(format!("no {}", ask.tool_name)) })
        .user_dialog(["confirm"], |dialog| async move { DialogAnswer::Completed { result: json!(dialog.dialog_kind) } })
        .elicitation(|request| async move {
            let content = json!({"server": request.mcp_server_name}).as_object().cloned();
            ElicitationAnswer::Accept { content }
        })
}

fn assert_answered(cli: &ScriptedCli) {
    let answer = |id: &str| {
        let received = cli.received();
        let mut answers = received.iter().filter(|frame| frame["response"]["request_id"] == id);
        let answer = answers.next().unwrap()["response"]["response"].clone();
        assert!(answers.next().is_none(), "{id} is answered twice");
        answer
    };
    assert_eq!(answer("permission"), json!({"behavior": "deny", "message": "no Bash", "toolUseID": "t"}));
    assert_eq!(answer("dialog"), json!({"behavior": "completed", "result": "confirm"}));
    assert_eq!(answer("elicitation"), json!({"action": "accept", "content": {"server": "forms"}}));
}

#[tokio::test]
async fn open_questions_in_the_response_to_initialize_are_answered() {
    for joins in [false, true] {
        let script = initialize(Script::new(), "first", json!({}));
        let script = script.emit(with_questions(success("first", json!({"claude_code_version": "9"}))));
        let cli = ScriptedCli::new(expect_answers(script).prompt().result("done"));
        let agent = if joins { answering(&cli).join() } else { answering(&cli) };
        let mut session = within(agent.open()).await.unwrap();
        assert_eq!(session.welcome().claude_code_version, "9");
        within(session.send("go")).await.unwrap();
        assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("done"));
        assert_answered(&cli);
    }
}

#[tokio::test]
async fn a_session_that_rejects_initialize_can_be_joined_and_its_questions_are_answered() {
    let script = initialize(Script::new(), "first", json!({})).emit(with_questions(refusal("first")));
    let cli = ScriptedCli::new(expect_answers(script).prompt().result("done"));
    let mut session = within(answering(&cli).join().open()).await.unwrap();
    assert_eq!(session.welcome().claude_code_version, "");
    within(session.send("go")).await.unwrap();
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("done"));
    assert_answered(&cli);
}

#[tokio::test]
async fn without_join_a_rejected_initialize_is_an_error() {
    let cli = ScriptedCli::new(initialize(Script::new(), "first", json!({})).reply_error("first", "already initialized"));
    let error = within(Agent::new().transport(cli).open()).await.expect_err("rejected");
    assert!(matches!(&error, Error::Refused { message, .. } if message == "already initialized"), "{error}");
}

#[tokio::test]
async fn a_turn_that_is_running_when_the_session_is_joined_is_read_to_its_end() {
    let script = initialize(Script::new(), "first", json!({}));
    let script = script.reply("first", json!({"session_state": "running"}));
    let cli = ScriptedCli::new(script.text("almost").result("there").idle());
    let mut session = within(Agent::new().transport(cli).join().open()).await.unwrap();
    assert_eq!(read_run(&mut session).await.1.result.as_deref(), Some("there"));
}

#[tokio::test]
async fn initialize_can_be_repeated_with_the_hooks_and_the_mounted_servers() {
    let first = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hookCallbackIds": ["hook_0"]}]},
        "sdkMcpServers": ["calc"], "appendSystemPrompt": "Be terse.", "sdkMcpServerManifests": {"calc": {}}});
    let mut again = first.clone();
    again["sdkMcpServers"] = json!(["calc", "late"]);
    again.as_object_mut().unwrap().remove("sdkMcpServerManifests");
    let hook_input = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}});
    let hook = json!({"subtype": "hook_callback", "callback_id": "hook_0", "input": hook_input});
    let script = initialize(Script::new(), "first", first).reply("first", json!({}));
    let script = script
        .expect_as("mount", json!({"request": {"subtype": "mcp_set_servers"}}))
        .reply("mount", json!({"added": ["late"], "removed": [], "errors": {}}));
    let script =
        initialize(script, "again", again).emit(with_questions(success("again", json!({"claude_code_version": "9"}))));
    let cli =
        ScriptedCli::new(expect_answers(script).prompt().send_request("hook", hook).expect_response("hook").result("done"));

    let agent = answering(&cli)
        .system_prompt(SystemPrompt::claude_code_and("Be terse."))
        .mount("calc", Server::builder("calc", "1.0.0"))
        .hook(Hook::<PreToolUse>::new().matcher("Bash"), |_| async { PreToolUse::deny("not now") });
    let mut session = within(agent.open()).await.unwrap();
    within(session.handle().mount("late", Server::builder("late", "1.0.0"))).await.unwrap();
    let welcome = within(session.handle().reinitialize()).await.unwrap();
    assert_eq!(welcome.claude_code_version, "9");
    within(session.send("go")).await.unwrap();
    read_run(&mut session).await;
    assert_answered(&cli);
    let received = cli.received();
    let repeated = received.iter().filter(|frame| frame["request"]["subtype"] == "initialize").nth(1).unwrap();
    assert_eq!(repeated["request"].get("sdkMcpServerManifests"), None);
    let hook = received.iter().find(|frame| frame["response"]["request_id"] == "hook").unwrap();
    assert_eq!(hook["response"]["response"]["hookSpecificOutput"]["permissionDecision"], "deny");
}
