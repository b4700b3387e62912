//! Drives this server and the npm package with the same calls, and compares the results.

mod support;

use serde_json::{Value, json};
use support::{Pair, Peer, outcome};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_servers_list_the_same_tools_arguments_and_hints() {
    let Some(pair) = Pair::start("files-tools", &[]).await else { return };
    let (own, npm) = (described(&pair.own).await, described(&pair.npm).await);
    assert_eq!(own.len(), 14);
    assert_eq!(own, npm);
}

/// The part of every tool that a client depends on. Absent hints are their defaults.
async fn described(peer: &Peer) -> Vec<Value> {
    let mut tools = peer.client.request("tools/list", json!({})).await.unwrap();
    let describe = |tool: &Value| {
        let hints = &tool["annotations"];
        let read_only = hints["readOnlyHint"] == true;
        let mut arguments: Vec<&String> =
            tool["inputSchema"]["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
        arguments.sort();
        let mut required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        // A value with a default is not required, although the npm package says so of one.
        required
            .retain(|name| tool["inputSchema"]["properties"][name.as_str().unwrap_or_default()].get("default").is_none());
        required.sort_by_key(Value::to_string);
        json!({
            "name": tool["name"],
            "title": tool["title"],
            "arguments": arguments,
            "required": required,
            "readOnly": read_only,
            "destructive": hints["destructiveHint"].as_bool().unwrap_or(!read_only) && !read_only,
            "idempotent": hints["idempotentHint"] == true,
            "openWorld": hints["openWorldHint"].as_bool().unwrap_or(true),
            "output": tool["outputSchema"]["properties"]["content"]["type"],
        })
    };
    tools["tools"].take().as_array().unwrap().iter().map(describe).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_servers_give_the_same_results() {
    let Some(pair) = Pair::start("files-results", &[]).await else { return };
    let mut compared = 0;
    for (tool, arguments) in calls() {
        let (own, npm) = (outcome(&pair.own, tool, &arguments).await, outcome(&pair.npm, tool, &arguments).await);
        assert_eq!(own, npm, "{tool} {arguments}");
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
    assert_eq!(
        support::tree(&pair.own.folder),
        support::tree(&pair.npm.folder),
        "both changed their folders in the same way"
    );
}

/// The calls, in their order. `ROOT` is the folder of the server, `OUTSIDE` a folder next to it.
fn calls() -> Vec<(&'static str, Value)> {
    let mut calls = vec![("list_allowed_directories", json!({}))];
    calls.extend(reading());
    calls.extend(listing());
    calls.extend(changing());
    calls.extend(leaving());
    calls
}

fn reading() -> Vec<(&'static str, Value)> {
    let read = |arguments: Value| ("read_text_file", arguments);
    vec![
        read(json!({"path": "ROOT/a.txt"})),
        read(json!({"path": "a.txt"})),
        read(json!({"path": "./deep/../a.txt"})),
        read(json!({"path": "ROOT/windows.txt"})),
        read(json!({"path": "ROOT/binary.bin"})),
        read(json!({"path": "ROOT/empty"})),
        read(json!({"path": "ROOT/missing"})),
        read(json!({"path": "ROOT/deep"})),
        read(json!({"path": "ROOT/a.txt", "head": 2})),
        read(json!({"path": "ROOT/a.txt", "head": 50})),
        read(json!({"path": "ROOT/a.txt", "head": 0})),
        read(json!({"path": "ROOT/a.txt", "tail": 2})),
        read(json!({"path": "ROOT/a.txt", "tail": 50})),
        read(json!({"path": "ROOT/windows.txt", "tail": 2})),
        read(json!({"path": "ROOT/windows.txt", "head": 2})),
        read(json!({"path": "ROOT/no-newline.txt", "head": 2})),
        read(json!({"path": "ROOT/no-newline.txt", "tail": 1})),
        read(json!({"path": "ROOT/long.txt", "tail": 3})),
        read(json!({"path": "ROOT/empty", "tail": 3})),
        read(json!({"path": "ROOT/a.txt", "head": 1, "tail": 1})),
        read(json!({"path": "ROOT/link-inside"})),
        read(json!({})),
        ("read_file", json!({"path": "ROOT/a.txt"})),
        ("read_media_file", json!({"path": "ROOT/picture.PNG"})),
        ("read_media_file", json!({"path": "ROOT/sound.mp3"})),
        ("read_media_file", json!({"path": "ROOT/binary.bin"})),
        ("read_media_file", json!({"path": "ROOT/a b%.txt"})),
        ("read_multiple_files", json!({"paths": ["ROOT/a.txt", "ROOT/empty"]})),
        ("read_multiple_files", json!({"paths": []})),
        ("get_file_info", json!({"path": "ROOT/a.txt"})),
        ("get_file_info", json!({"path": "ROOT/deep"})),
    ]
}

fn listing() -> Vec<(&'static str, Value)> {
    let search = |pattern: &str, exclude: &[&str]| {
        ("search_files", json!({"path": "ROOT", "pattern": pattern, "excludePatterns": exclude}))
    };
    vec![
        ("list_directory", json!({"path": "ROOT"})),
        ("list_directory", json!({"path": "ROOT/deep/er"})),
        ("list_directory", json!({"path": "ROOT/a.txt"})),
        ("list_directory", json!({"path": "."})),
        ("list_directory_with_sizes", json!({"path": "ROOT/deep"})),
        ("list_directory_with_sizes", json!({"path": "ROOT/deep", "sortBy": "size"})),
        ("list_directory_with_sizes", json!({"path": "ROOT/deep", "sortBy": "date"})),
        ("directory_tree", json!({"path": "ROOT"})),
        ("directory_tree", json!({"path": "ROOT", "excludePatterns": ["er"]})),
        ("directory_tree", json!({"path": "ROOT", "excludePatterns": ["deep/*.md", "*.txt"]})),
        ("directory_tree", json!({"path": "ROOT/deep/er"})),
        search("*.txt", &[]),
        search("**/*.txt", &[]),
        search("**/*", &[]),
        search("deep/*", &[]),
        search("**/*.{md,txt}", &["deep/**"]),
        search("?.txt", &[]),
        search("[ab]*.txt", &[]),
        search("nothing", &[]),
    ]
}

fn changing() -> Vec<(&'static str, Value)> {
    let edit = |path: &str, old: &str, new: &str, dry: bool| {
        ("edit_file", json!({"path": path, "edits": [{"oldText": old, "newText": new}], "dryRun": dry}))
    };
    vec![
        ("write_file", json!({"path": "ROOT/new.txt", "content": "one\ntwo\nthree\n"})),
        ("write_file", json!({"path": "ROOT/new.txt", "content": "one\ntwo\nthree\nfour"})),
        ("write_file", json!({"path": "ROOT/script.sh", "content": "#!/bin/sh\n"})),
        ("get_file_info", json!({"path": "ROOT/script.sh"})),
        ("write_file", json!({"path": "ROOT/link-inside", "content": "through the link"})),
        ("write_file", json!({"path": "ROOT/no/such/folder.txt", "content": ""})),
        ("write_file", json!({"path": "ROOT/deep", "content": ""})),
        edit("ROOT/new.txt", "two", "2", true),
        edit("ROOT/new.txt", "two", "2", false),
        edit("ROOT/new.txt", "four", "4 ```", false),
        edit("ROOT/new.txt", "five", "5", false),
        edit("ROOT/long.txt", "line 500\nline 501", "changed\n", false),
        edit("ROOT/code.rs", "if a {\nb();", "if a {\n    c();", false),
        edit("ROOT/windows.txt", "two\r\n", "2\r\n", false),
        edit("ROOT/empty", "", "text", false),
        ("edit_file", json!({"path": "ROOT/a.txt", "edits": []})),
        ("create_directory", json!({"path": "ROOT/made/by/us"})),
        ("create_directory", json!({"path": "ROOT/made/by/us"})),
        ("create_directory", json!({"path": "ROOT/a.txt"})),
        ("move_file", json!({"source": "ROOT/new.txt", "destination": "ROOT/made/moved.txt"})),
        ("move_file", json!({"source": "ROOT/a.txt", "destination": "ROOT/made/moved.txt"})),
        ("move_file", json!({"source": "ROOT/made", "destination": "ROOT/renamed"})),
        ("move_file", json!({"source": "ROOT/missing", "destination": "ROOT/other"})),
    ]
}

/// Every way out of the folder is refused by both.
fn leaving() -> Vec<(&'static str, Value)> {
    let paths = [
        "/etc/passwd",
        "ROOT/../OUTSIDE/secret",
        "../OUTSIDE/secret",
        "ROOT/link-outside",
        "ROOT/link-outside/secret",
        "ROOT/link-outside/new",
        "ROOT/dangling",
        "ROOT-but-longer",
        "C:\\Users",
        "ROOT/a.txt\u{0}",
        "~",
        "",
    ];
    let mut calls: Vec<(&'static str, Value)> = Vec::new();
    for path in paths {
        calls.push(("read_text_file", json!({"path": path})));
        calls.push(("write_file", json!({"path": path, "content": "x"})));
    }
    calls.push(("read_multiple_files", json!({"paths": ["ROOT/a.txt", "ROOT/link-outside/secret"]})));
    calls.push(("list_directory", json!({"path": "ROOT/link-outside"})));
    calls.push(("create_directory", json!({"path": "ROOT/link-outside/x"})));
    calls.push(("move_file", json!({"source": "ROOT/a.txt", "destination": "ROOT/link-outside/x"})));
    calls.push(("move_file", json!({"source": "/etc/passwd", "destination": "ROOT/x"})));
    calls
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_roots_of_the_client_replace_the_folders_of_the_command_line() {
    let Some(pair) = Pair::start("files-roots", &["deep", "missing"]).await else { return };
    for (tool, arguments) in [
        ("list_allowed_directories", json!({})),
        ("read_text_file", json!({"path": "ROOT/deep/notes.md"})),
        ("read_text_file", json!({"path": "ROOT/a.txt"})),
    ] {
        let (own, npm) = (outcome(&pair.own, tool, &arguments).await, outcome(&pair.npm, tool, &arguments).await);
        assert_eq!(own, npm, "{tool} {arguments}");
    }
    assert!(outcome(&pair.own, "read_text_file", &json!({"path": "ROOT/a.txt"})).await["isError"] == true);
}
