//! Files: read before they are written, edited where the text is unique.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::transport::{BoxFuture, Host, Job, Message, Reply};
use mcp_core::{Principal, Server};
use mcp_guard::Guard;
use mcp_test::Client;
use serde_json::{Value, json};

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
}

#[tokio::test]
async fn a_read_that_failed_does_not_count_as_a_read() {
    let folder = folder();
    let locked = Guard::without_rules().files(file_tools(folder.path()));
    let client = Client::new(server(folder.path(), locked));
    assert!(call(&client, "read", json!({"path": "b.txt"})).await.1);
    fs::write(folder.path().join("b.txt"), "x").unwrap();
    assert!(call(&client, "write", json!({"path": "b.txt", "content": "y"})).await.1);
    // The guard can read this file, and the tool cannot, because it is not text.
    fs::write(folder.path().join("c.txt"), [0xff, 0xfe]).unwrap();
    assert!(call(&client, "read", json!({"path": "c.txt"})).await.1);
    let (text, refused) = call(&client, "write", json!({"path": "c.txt", "content": "y"})).await;
    assert!(refused && text.contains("read it first"), "{text}");
}

#[tokio::test]
async fn an_edit_finds_its_text_exactly_once_or_replaces_all() {
    let folder = folder();
    let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
    call(&client, "read", json!({"path": "a.txt"})).await;
    let edit = |old: &str, all: bool| json!({"path": "a.txt", "old": old, "new": "1", "replace_all": all});
    for (old, reason) in [("one", "2 times"), ("three", "does not occur"), ("", "does not occur")] {
        let (text, refused) = call(&client, "edit", edit(old, false)).await;
        assert!(refused && text.contains(reason), "{old}: {text}");
    }
    assert!(!call(&client, "edit", edit("two", false)).await.1);
    assert!(!call(&client, "edit", edit("one", true)).await.1);
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "1 1 1");
}

#[cfg(windows)]
#[tokio::test]
async fn a_file_is_the_same_by_each_spelling_of_its_name() {
    let folder = folder();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for name in ["A.TXT", ".\\a.txt", "./a.txt", "sub\\..\\a.txt", "a.txt.", "a.txt "] {
        fs::write(folder.path().join("a.txt"), "one two one").unwrap();
        let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
        let write = || json!({"path": name, "content": "x"});
        let (text, refused) = call(&client, "write", write()).await;
        assert!(refused && text.contains("read it first"), "{name}: {text}");
        assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
        assert!(!call(&client, "write", write()).await.1, "{name}");
        fs::write(folder.path().join("a.txt"), "by somebody else").unwrap();
        let (text, refused) = call(&client, "write", write()).await;
        assert!(refused && text.contains("read it again"), "{name}: {text}");
    }
}

// Windows: a_file_is_the_same_by_each_spelling_of_its_name
#[cfg(unix)]
#[tokio::test]
async fn a_file_is_the_same_by_each_of_its_names() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    std::os::unix::fs::symlink(path("a.txt"), path("link")).unwrap();
    std::os::unix::fs::symlink(folder.path(), path("sub/up")).unwrap();
    let write = |name: &str| json!({"path": name, "content": "x"});
    for name in ["link", "sub/up/a.txt", "sub/../a.txt", "./a.txt", "./sub/../a.txt"] {
        fs::write(path("a.txt"), "one two one").unwrap();
        let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
        let (text, refused) = call(&client, "write", write(name)).await;
        assert!(refused && text.contains("read it first"), "{name}: {text}");
        assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
        assert!(!call(&client, "write", write(name)).await.1, "{name}");
        fs::write(path("a.txt"), "by somebody else").unwrap();
        let (text, refused) = call(&client, "write", write(name)).await;
        assert!(refused && text.contains("read it again"), "{name}: {text}");
    }
}

// Not on Windows: there the name means `../a.txt`, whether or not the directory exists.
#[cfg(unix)]
#[tokio::test]
async fn a_name_through_a_directory_that_does_not_exist_is_not_the_name_of_a_file() {
    let folder = folder();
    let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
    let name = json!({"path": "./../x/../a.txt", "content": "x"});
    let (text, refused) = call(&client, "write", name.clone()).await;
    assert!(refused && !text.contains("read it first"), "the tool fails, the guard has no file to protect: {text}");
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
    assert!(call(&client, "write", name).await.1);
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one two one");
}

#[tokio::test]
async fn what_one_client_has_read_another_client_may_not_write() {
    let folder = folder();
    let server = server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))).build().unwrap();
    let (reader, writer) = (Client::new(server.clone()), Client::new(server));
    assert!(!call(&reader, "read", json!({"path": "a.txt"})).await.1);
    let (text, refused) = call(&writer, "write", json!({"path": "a.txt", "content": "x"})).await;
    assert!(refused && text.contains("read it first"), "{text}");
    assert!(!call(&reader, "write", json!({"path": "a.txt", "content": "x"})).await.1);
    let (text, refused) = call(&writer, "write", json!({"path": "a.txt", "content": "y"})).await;
    assert!(refused && text.contains("read it first"), "{text}");
}

#[tokio::test]
async fn a_change_of_the_same_length_and_modification_time_is_noticed() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    let client = Client::new(server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))));
    assert!(!call(&client, "read", json!({"path": "a.txt"})).await.1);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "ONE TWO ONE").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let (text, refused) = call(&client, "write", json!({"path": "a.txt", "content": "x"})).await;
    assert!(refused && text.contains("read it again"), "{text}");
}

/// A host that runs everything in place.
struct InPlace;

impl Host for InPlace {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<()> {
        Box::pin(std::future::pending())
    }

    fn run_blocking(&self, job: Job) {
        job();
    }

    fn spawn(&self, _: BoxFuture<()>) {}
}

/// Sends one stateless request in a session of its own, as HTTP does. Returns the response.
async fn stateless(server: &Server, owner: Option<&str>, tool: &str, arguments: Value) -> String {
    stateless_on(InPlace, server, owner, tool, arguments).await
}

/// Does the same as [`stateless`] on another host.
pub(crate) async fn stateless_on(
    host: impl Host,
    server: &Server,
    owner: Option<&str>,
    tool: &str,
    arguments: Value,
) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let session = server.session(Arc::new(host), Arc::new(())).held_by(owner.map(Principal::new));
    match session.receive(Message::parse(request.as_bytes())) {
        Reply::Now(response) => response.to_json(),
        Reply::Later(call) => call.await.expect("not cancelled").to_json(),
        _ => panic!("no response"),
    }
}

#[tokio::test]
async fn stateless_requests_share_what_was_read_only_if_they_have_the_same_identity() {
    let folder = folder();
    let server = server(folder.path(), Guard::without_rules().files(file_tools(folder.path()))).build().unwrap();
    let (read, write) = (json!({"path": "a.txt"}), json!({"path": "a.txt", "content": "x"}));
    for reader in [Some("ada"), None] {
        assert!(stateless(&server, reader, "read", read.clone()).await.contains("one two one"));
    }
    for writer in [Some("eve"), None] {
        let response = stateless(&server, writer, "write", write.clone()).await;
        assert!(response.contains("read it first"), "{response}");
    }
    let response = stateless(&server, Some("ada"), "write", write).await;
    assert!(response.contains("written"), "{response}");
}
