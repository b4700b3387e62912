//! The stages in their order, and what each may do.

use std::fs;
use std::sync::{Arc, Mutex};

use mcp_guard::{Guard, Layer, Opinion, Rules};
use mcp_test::Client;
use serde_json::json;

use crate::{call, file_tools, folder, server};

#[tokio::test]
async fn input_is_validated_after_permission_and_before_checks() {
    let folder = folder();
    let checked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&checked);
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__write").unwrap();
    let pipeline = Guard::new("files", rules).files(file_tools(folder.path())).check(move |_| {
        *count.lock().unwrap() += 1;
        async { Ok(()) }
    });
    let client = Client::new(server(folder.path(), pipeline));
    let (text, refused) = call(&client, "write", json!({"path": 7, "content": "x"})).await;
    assert!(refused && text.starts_with("invalid arguments:") && text.contains("path"), "{text}");
    assert_eq!(*checked.lock().unwrap(), 0, "no check meets what the tool would refuse");
    let (text, refused) = call(&client, "read", json!({"path": 7})).await;
    assert_eq!(
        (text.as_str(), refused),
        (
            "permission is required (no rule matches, and the permission mode default requires a confirmation), but nobody can be asked: set `ask` or `ask_client`",
            true
        )
    );
    assert!(!call(&client, "write", json!({"path": "b", "content": "x"})).await.1);
    assert_eq!(*checked.lock().unwrap(), 1);
}

#[tokio::test]
async fn what_a_hook_made_of_the_arguments_is_what_is_validated() {
    let folder = folder();
    let broken = Guard::without_rules().before(|call| async move {
        let mut arguments = call.arguments;
        arguments["path"] = json!(["no", "text"]);
        Opinion::pass().with_arguments(arguments)
    });
    let client = Client::new(server(folder.path(), broken.check(|_| async { unreachable!("it is invalid") })));
    let (text, refused) = call(&client, "read", json!({"path": "a.txt"})).await;
    assert!(refused && text.starts_with("invalid arguments:"), "{text}");
}

#[tokio::test]
async fn rules_decide_by_tool_and_by_file_and_who_is_asked_decides_the_rest() {
    let folder = folder();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__read").unwrap();
    let rules = rules.deny(Layer::User, "Read(.env)").unwrap().deny(Layer::User, "Edit(/locked/**)").unwrap();
    fs::write(folder.path().join(".env"), "secret").unwrap();
    let pipeline = Guard::new("files", rules).files(file_tools(folder.path()));
    let client = Client::new(server(folder.path(), pipeline.clone()));
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
    assert_eq!(call(&client, "read", json!({"path": "x/../.ENV"})).await, ("the rule Read(.env) denies it".into(), true));
    assert_eq!(
        call(&client, "write", json!({"path": "b", "content": ""})).await,
        ("permission is required (no rule matches, and the permission mode default requires a confirmation), but nobody can be asked: set `ask` or `ask_client`".into(), true)
    );
    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    let pipeline = pipeline.ask(move |call, _| {
        notes.lock().unwrap().push(call.tool);
        async { true }
    });
    let client = Client::new(server(folder.path(), pipeline));
    assert!(!call(&client, "write", json!({"path": "b", "content": ""})).await.1);
    let (text, refused) = call(&client, "write", json!({"path": "locked/b", "content": ""})).await;
    assert!(refused && text.contains("Edit(/locked/**)"), "{text}");
    assert_eq!(*asked.lock().unwrap(), ["write"]);
}

#[tokio::test]
async fn hooks_and_checks_run_in_order_and_may_change_refuse_and_rewrite() {
    let folder = folder();
    let order = Arc::new(Mutex::new(Vec::new()));
    let note = |what: &'static str| {
        let order = Arc::clone(&order);
        move || order.lock().unwrap().push(what)
    };
    let (first, second, third) = (note("before"), note("check"), note("after"));
    let pipeline = Guard::without_rules()
        .before(move |call| {
            first();
            async move {
                match call.arguments["path"] == "forbidden" {
                    true => Opinion::deny("not that one"),
                    false => Opinion::pass().with_arguments(json!({"path": "a.txt"})),
                }
            }
        })
        .check(move |call| {
            second();
            assert_eq!(call.arguments["path"], "a.txt", "the check sees what the hook made of it");
            async { Ok(()) }
        })
        .after(move |_, _| {
            third();
            async { mcp_core::ToolResult::text("rewritten") }
        });
    let client = Client::new(server(folder.path(), pipeline));
    assert_eq!(call(&client, "read", json!({"path": "b.txt"})).await, ("rewritten".into(), false));
    assert_eq!(*order.lock().unwrap(), ["before", "check", "after"]);
    assert_eq!(call(&client, "read", json!({"path": "forbidden"})).await, ("not that one".into(), true));
    assert_eq!(order.lock().unwrap().len(), 4);
}
