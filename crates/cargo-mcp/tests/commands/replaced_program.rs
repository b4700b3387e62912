//! `cargo mcp dev` while a build replaces the program of the running server, which Windows forbids. The example `fake_cargo` builds.

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::dev::Client;

fn example(name: &str) -> PathBuf {
    // target/<profile>/deps/<this test>
    let this = std::env::current_exe().unwrap();
    this.ancestors().nth(2).unwrap().join("examples").join(name).with_extension(EXE_EXTENSION)
}

fn programs(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("server")).count()
}

#[test]
fn a_build_replaces_the_program_of_a_running_server() {
    let project = tempfile::tempdir().unwrap();
    fs::create_dir(project.path().join("src")).unwrap();
    let source = project.path().join("src/main.rs");
    fs::write(&source, "1").unwrap();
    fs::write(project.path().join("Cargo.toml"), "").unwrap();
    let mut client = Client::spawn(project.path(), |command| {
        command.env("CARGO", example("fake_cargo")).env("BUILT", example("playground"))
    });
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    client.request(0, "initialize", &params);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for id in 1..4 {
        let call = json!({"name": "add", "arguments": {"a": id, "b": 1}});
        let answer = client.request(id, "tools/call", &call);
        assert_eq!(answer["result"]["content"][0]["text"], (id + 1).to_string(), "{answer}");
        fs::write(&source, id.to_string()).unwrap();
        client.until(|message| message["method"] == "notifications/tools/list_changed");
    }
    assert!(client.end().success());
    assert_eq!(programs(project.path()), 1, "the copies of the program are deleted");
}
