//! A server of tools for files, with all stages around it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use mcp_agent_pipeline::{Files, Pipeline, Refusal};
use mcp_agent_rules::{Layer, Rules};
use mcp_core::{Builder, Server, ToolError, tool, tools};
use mcp_test::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Root(PathBuf);

/// Read a file.
#[tool]
fn read(path: String, root: &Root) -> Result<String, ToolError> {
    Ok(fs::read_to_string(root.0.join(path))?)
}

/// Write a file.
#[tool]
fn write(path: String, content: String, root: &Root) -> Result<String, ToolError> {
    fs::write(root.0.join(path), content)?;
    Ok("written".into())
}

/// Replace a text in a file.
#[tool]
fn edit(
    path: String,
    old: String,
    new: String,
    #[default(false)] replace_all: bool,
    root: &Root,
) -> Result<String, ToolError> {
    let _ = replace_all;
    let path = root.0.join(path);
    fs::write(&path, fs::read_to_string(&path)?.replace(&old, &new))?;
    Ok("edited".into())
}

fn server(root: &Path, pipeline: Pipeline) -> Builder {
    Server::new("files", "1.0.0").tools(tools![read, write, edit]).state(Root(root.to_owned())).hook(pipeline)
}

fn files(root: &Path) -> Files {
    Files::new(root).reads("read", "path").writes("write", "path").edits("edit", "path", "old", "replace_all")
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one two one").unwrap();
    folder
}

async fn call(client: &Client, tool: &str, arguments: Value) -> (String, bool) {
    let result = client.call(tool, arguments).await;
    (result.to_text(), result.is_error)
}

#[tokio::test]
async fn a_file_is_written_only_after_it_was_read_and_while_nobody_else_wrote_it() {
    let folder = folder();
    let client = Client::new(server(folder.path(), Pipeline::new().files(files(folder.path()))));
    let change = |content: &str| json!({"path": "a.txt", "content": content});
    let (text, refused) = call(&client, "write", change("x")).await;
    assert!(refused && text.contains("read it first"), "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one two one");
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
    assert!(!call(&client, "write", change("mine")).await.1);
    assert!(!call(&client, "write", change("mine again")).await.1, "what it wrote itself it knows");
    fs::write(folder.path().join("a.txt"), "by somebody else").unwrap();
    let (text, refused) = call(&client, "write", change("x")).await;
    assert!(refused && text.contains("read it again"), "{text}");
    assert!(!call(&client, "write", json!({"path": "new.txt", "content": "x"})).await.1, "what is new needs no reading");
    // By another name it is the same file.
    let (text, refused) = call(&client, "write", json!({"path": "./../x/../a.txt", "content": "x"})).await;
    assert!(refused, "{text}");
}

#[tokio::test]
async fn a_read_that_failed_is_no_read() {
    let folder = folder();
    let locked = Pipeline::new().files(files(folder.path()));
    let client = Client::new(server(folder.path(), locked));
    assert!(call(&client, "read", json!({"path": "b.txt"})).await.1);
    fs::write(folder.path().join("b.txt"), "x").unwrap();
    assert!(call(&client, "write", json!({"path": "b.txt", "content": "y"})).await.1);
}

#[tokio::test]
async fn an_edit_finds_its_text_exactly_once_or_replaces_all() {
    let folder = folder();
    let client = Client::new(server(folder.path(), Pipeline::new().files(files(folder.path()))));
    call(&client, "read", json!({"path": "a.txt"})).await;
    let edit = |old: &str, all: bool| json!({"path": "a.txt", "old": old, "new": "1", "replace_all": all});
    for (old, reason) in [("one", "2 times"), ("three", "does not stand"), ("", "does not stand")] {
        let (text, refused) = call(&client, "edit", edit(old, false)).await;
        assert!(refused && text.contains(reason), "{old}: {text}");
    }
    assert!(!call(&client, "edit", edit("two", false)).await.1);
    assert!(!call(&client, "edit", edit("one", true)).await.1);
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "1 1 1");
}

#[tokio::test]
async fn input_is_validated_after_permission_and_before_checks() {
    let folder = folder();
    let checked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&checked);
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__write").unwrap();
    let pipeline = Pipeline::new().rules("files", rules).files(files(folder.path())).check(move |_| {
        *count.lock().unwrap() += 1;
        Ok(())
    });
    let client = Client::new(server(folder.path(), pipeline));
    let (text, refused) = call(&client, "write", json!({"path": 7, "content": "x"})).await;
    assert!(refused && text.starts_with("invalid arguments:") && text.contains("path"), "{text}");
    assert_eq!(*checked.lock().unwrap(), 0, "no check meets what the tool would refuse");
    let (text, refused) = call(&client, "read", json!({"path": 7})).await;
    assert_eq!((text.as_str(), refused), ("nobody gave permission for it", true));
    assert!(!call(&client, "write", json!({"path": "b", "content": "x"})).await.1);
    assert_eq!(*checked.lock().unwrap(), 1);
}

#[tokio::test]
async fn what_a_hook_made_of_the_arguments_is_what_is_validated() {
    let folder = folder();
    let broken = Pipeline::new().before(|call| {
        call.arguments["path"] = json!(["no", "text"]);
        Ok(())
    });
    let client = Client::new(server(folder.path(), broken.check(|_| unreachable!("it is invalid"))));
    let (text, refused) = call(&client, "read", json!({"path": "a.txt"})).await;
    assert!(refused && text.starts_with("invalid arguments:"), "{text}");
}

#[tokio::test]
async fn rules_decide_by_tool_and_by_file_and_who_is_asked_decides_the_rest() {
    let folder = folder();
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__read").unwrap();
    let rules = rules.deny(Layer::User, "Read(.env)").unwrap().deny(Layer::User, "Edit(/locked/**)").unwrap();
    fs::write(folder.path().join(".env"), "secret").unwrap();
    let pipeline = Pipeline::new().rules("files", rules).files(files(folder.path()));
    let client = Client::new(server(folder.path(), pipeline.clone()));
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
    assert_eq!(call(&client, "read", json!({"path": "x/../.ENV"})).await, ("the rule Read(.env) denies it".into(), true));
    assert_eq!(
        call(&client, "write", json!({"path": "b", "content": ""})).await,
        ("nobody gave permission for it".into(), true)
    );
    let asked = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&asked);
    let pipeline = pipeline.ask(move |call| {
        notes.lock().unwrap().push(call.tool.clone());
        true
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
    let pipeline = Pipeline::new()
        .before(move |call| {
            first();
            if call.arguments["path"] == "forbidden" {
                return Err(Refusal::new("not that one"));
            }
            call.arguments["path"] = json!("a.txt");
            Ok(())
        })
        .check(move |call| {
            second();
            assert_eq!(call.arguments["path"], "a.txt", "the check sees what the hook made of it");
            Ok(())
        })
        .after(move |_, result| {
            third();
            *result = mcp_core::ToolResult::text("rewritten");
        });
    let client = Client::new(server(folder.path(), pipeline));
    assert_eq!(call(&client, "read", json!({"path": "b.txt"})).await, ("rewritten".into(), false));
    assert_eq!(*order.lock().unwrap(), ["before", "check", "after"]);
    assert_eq!(call(&client, "read", json!({"path": "forbidden"})).await, ("not that one".into(), true));
    assert_eq!(order.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn every_stage_is_a_span_with_names_and_sizes_and_no_values() {
    let folder = folder();
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::NEW)
        .with_writer(move || writer.clone())
        .finish();
    // For all threads: what is enabled is remembered for the whole process, whoever asked first.
    tracing::subscriber::set_global_default(subscriber).expect("no other test sets one");
    let rules = Rules::new(folder.path()).allow(Layer::User, "mcp__files__*").unwrap();
    let pipeline = Pipeline::new().before(|_| Ok(())).rules("files", rules).files(files(folder.path())).after(|_, _| {});
    let client = Client::new(server(folder.path(), pipeline));
    assert!(!call(&client, "write", json!({"path": "new-secret.txt", "content": "very secret"})).await.1);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    // A line is written when a span begins: they stand in the order of the stages.
    let stages = [
        "invocation{argument_bytes=49}",
        "pre_hook{hooks=1}",
        "permission{rules=true}",
        "validation{argument_bytes=49}",
        "check{checks=0 files=true}",
        "execution",
        "post_hook{hooks=1}",
        "result{is_error=false result_bytes=7}",
    ];
    let begun = log.lines().filter_map(|line| line.split_once("tool_pipeline{tool=\"write\"}:"));
    let is_stage = |rest: &&str| rest.ends_with(": new") && !rest.starts_with(' ');
    let begun: Vec<&str> = begun.map(|(_, rest)| rest).filter(is_stage).collect();
    for (stage, line) in stages.iter().zip(&begun) {
        assert!(line.starts_with(stage), "{stage} in {line}");
    }
    assert_eq!(begun.len(), stages.len(), "{log}");
    assert!(!log.contains("secret"), "{log}");
}

/// What was written to the log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
