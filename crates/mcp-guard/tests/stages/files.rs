//! Files: read before they are written, edited where the text is unique.

use std::fs;

use mcp_guard::Guard;
use mcp_test::Client;
use serde_json::json;

use crate::{call, file_tools, folder, server};

#[tokio::test]
async fn a_file_is_written_only_after_it_was_read_and_while_nobody_else_wrote_it() {
    let folder = folder();
    let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
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
    let locked = Guard::without_rules().files(file_tools(folder.path()));
    let client = Client::new(server(folder.path(), locked));
    assert!(call(&client, "read", json!({"path": "b.txt"})).await.1);
    fs::write(folder.path().join("b.txt"), "x").unwrap();
    assert!(call(&client, "write", json!({"path": "b.txt", "content": "y"})).await.1);
}

#[tokio::test]
async fn an_edit_finds_its_text_exactly_once_or_replaces_all() {
    let folder = folder();
    let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
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
