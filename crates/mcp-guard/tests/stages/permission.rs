//! The permission stage: the stricter verdict counts, and who is asked.

use std::fs;
use std::sync::{Arc, Mutex};

use mcp_core::protocol::Revision;
use mcp_guard::{Behavior, Guard, Layer, Opinion, Rules, SharedRules};
use mcp_test::Client;
use serde_json::{Value, json};

use crate::{call, file_tools, folder, server};

#[tokio::test]
async fn an_ask_rule_for_a_file_is_stricter_than_an_allow_rule_for_the_tool() {
    let folder = folder();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap();
    let rules = rules.ask(Layer::Policy, "Edit(.env)").unwrap();
    let guard = Guard::new("files", rules).files(file_tools(folder.path()));
    let client = Client::new(server(folder.path(), guard.clone()));
    let (text, refused) = call(&client, "write", json!({"path": ".env", "content": "x"})).await;
    assert!(refused && text.contains("the rule Edit(.env) requires a confirmation"), "{text}");
    assert!(!folder.path().join(".env").exists());
    assert!(!call(&client, "write", json!({"path": "other", "content": "x"})).await.1);

    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    let guard = guard.ask(move |call, reason| {
        notes.lock().unwrap().push((call.tool, reason));
        async { true }
    });
    let client = Client::new(server(folder.path(), guard));
    assert!(!call(&client, "write", json!({"path": ".env", "content": "x"})).await.1);
    assert_eq!(*asked.lock().unwrap(), [("write".to_owned(), "the rule Edit(.env) requires a confirmation".to_owned())]);
}

#[tokio::test]
async fn a_rule_that_may_deny_a_file_asks_although_the_tool_is_allowed() {
    let folder = folder();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap();
    // Without a home directory it is not known which files this rule means.
    let rules = rules.deny(Layer::User, "Read(~/x)").unwrap();
    let client = Client::new(server(folder.path(), Guard::new("files", rules).files(file_tools(folder.path()))));
    let (text, refused) = call(&client, "read", json!({"path": "a.txt"})).await;
    assert!(refused && text.contains("Read(~/x) may deny it"), "{text}");
}

#[tokio::test]
async fn a_rule_that_is_added_later_applies_to_later_calls() {
    let folder = folder();
    let rules = SharedRules::from(Rules::new(folder.path()));
    let client = Client::new(server(folder.path(), Guard::new("files", rules.clone())));
    assert!(call(&client, "read", json!({"path": "a.txt"})).await.1);
    rules.add(Layer::Session, Behavior::Allow, "mcp__files__read".parse().unwrap());
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
}

/// Calls a tool whose guard asks the user of the client, who gives this answer. Returns the question too.
async fn answered(revision: Revision, answer: Value) -> (String, bool, String) {
    let folder = folder();
    let rules = Rules::new(folder.path()).ask(Layer::Policy, "mcp__files__read").unwrap();
    let server = server(folder.path(), Guard::new("files", rules).ask_client());
    let client = Client::with_capabilities(server, revision, json!({"elicitation": {}}));
    let call = client.begin("read", json!({"path": "a.txt"}));
    let mut call = std::pin::pin!(call);
    let question = loop {
        if let Some(question) =
            client.take_notifications().into_iter().find(|message| message["method"] == "elicitation/create")
        {
            break question;
        }
        let polled = futures_lite::future::poll_once(call.as_mut()).await;
        assert!(polled.is_none(), "the call must wait for the answer");
        tokio::task::yield_now().await;
    };
    client.answer(&question, &answer);
    let result = call.await.expect("not cancelled").expect("a result");
    (result.to_text(), result.is_error, question["params"]["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn the_user_of_the_client_is_asked() {
    let allowed = json!({"action": "accept", "content": {"allow": true}});
    let (text, refused, question) = answered(Revision::V2025_11_25, allowed).await;
    assert_eq!((text.as_str(), refused), ("one two one", false));
    assert!(question.contains("read") && question.contains("a.txt") && question.contains("mcp__files__read"), "{question}");
    for answer in
        [json!({"action": "accept", "content": {"allow": false}}), json!({"action": "decline"}), json!({"action": "cancel"})]
    {
        let (text, refused, _) = answered(Revision::V2025_11_25, answer).await;
        assert_eq!((text.as_str(), refused), ("permission was not given", true));
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_gets_no_permission() {
    let folder = folder();
    let rules = Rules::new(folder.path()).ask(Layer::Policy, "mcp__files__read").unwrap();
    let client = Client::new(server(folder.path(), Guard::new("files", rules).ask_client()));
    let outcome = client.begin("read", json!({"path": "a.txt"})).await.expect("not cancelled");
    let error = outcome.expect_err("the tool must not run");
    assert!(error.message.contains("elicitation"), "{error:?}");
}

#[tokio::test]
async fn an_objection_of_a_hook_is_merged_with_the_rules() {
    let folder = folder();
    fs::write(folder.path().join("b.txt"), "b").unwrap();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__read").unwrap();
    let rules = rules.deny(Layer::User, "mcp__files__write").unwrap();
    let guard = Guard::new("files", rules)
        .before(|_| async { Opinion::ask("the first hook wants a question") })
        .before(|call| async move {
            if call.arguments["path"] == "b.txt" { Opinion::deny("not b.txt") } else { Opinion::pass() }
        })
        .ask(|_, _| async { true });
    let client = Client::new(server(folder.path(), guard));
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1, "asked and allowed");
    assert_eq!(call(&client, "read", json!({"path": "b.txt"})).await, ("not b.txt".into(), true), "deny wins over ask");
    let (text, refused) = call(&client, "write", json!({"path": "c", "content": ""})).await;
    assert!(refused && text.contains("mcp__files__write denies it"), "a hook that asks cannot weaken a denial: {text}");
}
