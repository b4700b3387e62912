//! Prompts, interrupts and answers.

use std::slice;

use std::collections::BTreeMap;

use mcp_agent::{PermissionMode, random_uuid};
use mcp_agent_test::Script;
use mcp_agent_web::{Answer, Command, WebError};
use serde_json::{Value, json};

use crate::support::{ask, hub, hub_with, names, prompt, raw, transcript, turn, until};

#[tokio::test]
async fn a_prompt_that_is_sent_twice_runs_once() {
    let (hub, cli) = hub(Script::new().initialize().then(turn(["a"])).then(turn(["b"])));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    let first = prompt("Hello");
    assert!(hub.send(&chat, first.clone()).await.unwrap());
    assert!(!hub.send(&chat, first.clone()).await.unwrap());
    until(&mut watch, "claude.turn_end").await;
    assert!(!hub.send(&chat, first).await.unwrap());
    assert!(hub.send(&chat, prompt("Hello")).await.unwrap());
    let rest = until(&mut watch, "claude.turn_end").await;
    assert_eq!(names(&rest).iter().filter(|name| *name == "chat.prompt").count(), 1);
    let prompts = cli.received().iter().filter(|line| line["type"] == "user").count();
    assert_eq!((prompts, cli.invocations().len()), (2, 1));
}

#[tokio::test]
async fn watching_starts_no_session() {
    let (hub, cli) = hub(Script::new().initialize().then(turn(["a"])));
    for _ in 0..20 {
        let mut watch = hub.watch(&random_uuid(), None).await.unwrap();
        let next = tokio::time::timeout(std::time::Duration::from_millis(1), watch.next()).await;
        assert!(next.is_err(), "a chat without a prompt has no events");
    }
    let error = hub.send(&random_uuid(), Command::Interrupt).await.unwrap_err();
    assert!(matches!(error, WebError::NotRunning));
    assert_eq!(cli.invocations().len(), 0);
}

#[tokio::test]
async fn the_first_answer_to_a_question_counts() {
    let script = Script::new().initialize().prompt().send_request("ask", ask("t", "ls")).expect_response("ask");
    let (hub, cli) = hub(script.result("").idle());
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let seen = until(&mut watch, "chat.ask").await;
    let asked = raw(&seen, "chat.ask");
    assert_eq!((&asked["tool_name"], &asked["input"]), (&json!("Bash"), &json!({"command": "ls"})));
    assert_eq!(transcript(&seen).asks, slice::from_ref(&asked));
    let id = asked["id"].as_str().unwrap().to_owned();
    let deny = Answer::Deny { reason: Some("not today".into()) };
    for answer in [deny, Answer::Always] {
        // The second one may arrive after the end of the turn. It has no effect either way.
        let _ = hub.send(&chat, Command::Answer { id: id.clone(), answer }).await;
    }
    let rest = until(&mut watch, "claude.turn_end").await;
    let answered = names(&rest).iter().filter(|name| *name == "chat.answered").count();
    assert_eq!((answered, &raw(&rest, "chat.answered")["answer"]["reason"]), (1, &json!("not today")));
    assert_eq!(response(&cli.received())["message"], "not today");
}

#[tokio::test]
async fn a_question_comes_after_what_the_model_said_before_it() {
    let said = (0..20).fold(Script::new().initialize().prompt(), |script, number| script.text(&format!("text {number}")));
    let (hub, _) = hub(said.send_request("ask", ask("t", "ls")).expect_response("ask").result("").idle());
    for _ in 0..10 {
        let chat = random_uuid();
        let mut watch = hub.watch(&chat, None).await.unwrap();
        hub.send(&chat, prompt("Hello")).await.unwrap();
        let seen = until(&mut watch, "chat.ask").await;
        assert_eq!(transcript(&seen).last_text(), Some("text 19"));
    }
}

#[tokio::test]
async fn always_allows_exactly_the_same_tool_use_from_then_on() {
    let script = Script::new().initialize().prompt();
    let script = script.send_request("1", ask("a", "make")).expect_response("1");
    let script = script.send_request("2", ask("b", "make")).expect_response("2");
    let script = script.send_request("3", ask("c", "make install")).expect_response("3");
    let (hub, _) = hub(script.result("").idle());
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let first = raw(&until(&mut watch, "chat.ask").await, "chat.ask");
    let answer = |ask: &Value, answer: Answer| Command::Answer { id: ask["id"].as_str().unwrap().to_owned(), answer };
    hub.send(&chat, answer(&first, Answer::Always)).await.unwrap();
    let second = raw(&until(&mut watch, "chat.ask").await, "chat.ask");
    assert_eq!(second["input"]["command"], "make install");
    hub.send(&chat, answer(&second, Answer::Deny { reason: None })).await.unwrap();
    until(&mut watch, "claude.turn_end").await;
}

#[tokio::test]
async fn the_questions_of_the_model_are_answered_with_choices() {
    let questions = json!([{"question": "Which?", "header": "h", "options": [{"label": "A"}, {"label": "B"}]}]);
    let asked = json!({"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": {"questions": questions},
                       "tool_use_id": "t"});
    let script = Script::new().initialize().prompt().send_request("ask", asked).expect_response("ask");
    let (hub, cli) = hub(script.result("").idle());
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let ask = raw(&until(&mut watch, "chat.ask").await, "chat.ask");
    let answers = BTreeMap::from([("Which?".to_owned(), json!("B")), ("forged".to_owned(), json!("x"))]);
    let id = ask["id"].as_str().unwrap().to_owned();
    hub.send(&chat, Command::Answer { id, answer: Answer::Allow { answers } }).await.unwrap();
    until(&mut watch, "claude.turn_end").await;
    let input = &response(&cli.received())["updatedInput"];
    assert_eq!((&input["answers"], &input["questions"]), (&json!({"Which?": "B"}), &questions));
}

#[tokio::test]
async fn an_interrupt_reaches_the_session_and_withdrawn_questions_disappear() {
    let script = Script::new().initialize().prompt().send_request("ask", ask("t", "ls"));
    let script = script.expect_as("interrupt", json!({"request": {"subtype": "interrupt"}})).reply("interrupt", json!({}));
    let script = script.emit(json!({"type": "control_cancel_request", "request_id": "ask"})).result("").idle();
    let (hub, _) = hub(script);
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let mut seen = until(&mut watch, "chat.ask").await;
    hub.send(&chat, Command::Interrupt).await.unwrap();
    seen.extend(until(&mut watch, "chat.answered").await);
    assert_eq!(raw(&seen, "chat.answered")["withdrawn"], true);
    assert!(transcript(&seen).asks.is_empty());
}

#[tokio::test]
async fn there_is_a_limit_of_open_sessions() {
    let script = Script::new().initialize().then(turn(["a"]));
    let (hub, cli) = hub_with(script, |hub| hub.max_sessions(1));
    let (first, second) = (random_uuid(), random_uuid());
    let mut watch = hub.watch(&first, None).await.unwrap();
    hub.send(&first, prompt("Hello")).await.unwrap();
    until(&mut watch, "claude.turn_end").await;
    let rejected = prompt("Hello");
    let error = hub.send(&second, rejected.clone()).await.unwrap_err();
    assert!(matches!(error, WebError::TooManySessions), "{error}");
    assert!(hub.send(&first, Command::Mode { mode: PermissionMode::Plan }).await.is_ok(), "the open session is usable");
    hub.send(&first, Command::End).await.unwrap();
    until(&mut watch, "chat.end").await;
    assert_eq!(cli.invocations().len(), 1);
    // The session is closed after the event. The prompt was not used up when it was rejected.
    while matches!(hub.send(&second, rejected.clone()).await, Err(WebError::TooManySessions)) {
        tokio::task::yield_now().await;
    }
    until(&mut hub.watch(&second, None).await.unwrap(), "claude.turn_end").await;
    assert_eq!(cli.invocations().len(), 2);
}

#[tokio::test]
async fn a_cli_that_does_not_start_does_not_delay_the_shutdown() {
    let (hub, cli) = hub(Script::new().expect(json!({"type": "a line that never comes"})));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    until(&mut watch, "chat.prompt").await;
    while cli.invocations().is_empty() {
        tokio::task::yield_now().await;
    }
    tokio::time::timeout(std::time::Duration::from_secs(20), hub.shutdown()).await.expect("the hub shuts down");
    let update = hub.watch(&chat, None).await.unwrap().next().await.unwrap().unwrap();
    let shown = transcript(slice::from_ref(&update));
    assert!(!shown.is_busy && shown.items.back().unwrap().is_error, "the turn has ended: {shown:?}");
}

#[tokio::test]
async fn a_mode_that_was_chosen_before_the_session_is_open_is_used() {
    let (hub, cli) = hub(Script::new().initialize().then(turn(["a"])));
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, Command::Mode { mode: PermissionMode::Plan }).await.unwrap();
    until(&mut watch, "chat.mode").await;
    assert_eq!(cli.invocations().len(), 0, "a mode alone starts no session");
    hub.send(&chat, prompt("Hello")).await.unwrap();
    until(&mut watch, "claude.turn_end").await;
    let arguments = format!("{:?}", cli.invocations());
    assert!(arguments.contains("plan"), "{arguments}");
    let error = hub.send(&chat, Command::Mode { mode: PermissionMode::BypassPermissions }).await.unwrap_err();
    assert!(matches!(error, WebError::Invalid(_)));
}

#[tokio::test]
async fn questions_that_are_too_large_together_are_denied() {
    let large = "x".repeat(3 << 20);
    let asks = ["1", "2", "3"].into_iter();
    let script = asks.fold(Script::new().initialize().prompt(), |script, id| script.send_request(id, ask(id, &large)));
    let (hub, cli) = hub(script.expect(json!({"type": "control_response"})).result("").idle());
    let chat = random_uuid();
    let mut watch = hub.watch(&chat, None).await.unwrap();
    hub.send(&chat, prompt("Hello")).await.unwrap();
    let seen = until(&mut watch, "claude.turn_end").await;
    assert_eq!(transcript(&seen).asks.len(), 2, "the others wait for the user");
    assert!(response(&cli.received())["message"].as_str().unwrap().contains("too large"));
}

/// Returns the answer that the CLI was given to its request for permission.
fn response(received: &[Value]) -> Value {
    let responses = received.iter().filter(|line| line["type"] == "control_response");
    responses.map(|line| line["response"]["response"].clone()).next_back().expect("a response")
}
