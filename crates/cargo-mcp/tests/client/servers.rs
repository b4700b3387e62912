//! The ways to name a server: a command, a URL, and a name in `.mcp.json`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::setup::{HttpServer, User, playground, printed};

#[test]
fn a_command_can_be_quoted_or_follow_two_dashes() {
    let (user, server) = (User::new(), playground());
    // Both start the program in their last argument.
    let [program, argument] = if cfg!(windows) { ["cmd", "/c"] } else { ["env", "X=1"] };
    assert_eq!(user.gets(&["call", &format!("{program} {argument} '{server}'"), "add", "a=1", "b=2"]), "3\n");
    assert_eq!(user.gets(&["call", "add", "a=1", "b=2", "--", program, argument, &server]), "3\n");
}

#[test]
fn a_server_over_http_is_called_in_both_eras() {
    let (user, server) = (User::new(), HttpServer::start());
    for revision in ["2026-07-28", "2025-11-25"] {
        assert_eq!(user.gets(&["call", &server.url, "add", "a=1", "b=2", "--revision", revision]), "3\n");
    }
    let gone = user.runs(&["list", "http://127.0.0.1:1/mcp"]);
    assert!(gone.status == Some(1) && gone.err.contains("the HTTP request failed"), "{gone:?}");
}

#[test]
fn a_name_is_found_in_the_file_of_the_project_and_its_variables_are_expanded() {
    let user = User::new();
    let servers = json!({"mcpServers": {
        "play": {"command": "${PLAY:-no-such-program}", "args": [], "env": {"SECRET": "${TOKEN}"}},
        "other": {"type": "http", "url": "http://127.0.0.1:1/${PLAY}"},
    }});
    let file = user.write(".mcp.json", &servers.to_string());
    fs::create_dir_all(user.folder.path().join("src")).unwrap();
    fs::create_dir(user.folder.path().join(".git")).unwrap();
    let mut command = user.command(&["call", "play", "add", "a=1", "b=2"]);
    let command = command.env("PLAY", playground()).current_dir(user.folder.path().join("src"));
    let unset = printed(command);
    assert!(unset.status == Some(1) && unset.err.contains("`play`") && unset.err.contains("TOKEN is not set"), "{unset:?}");
    let called = printed(command.env("TOKEN", "t"));
    assert_eq!(called.out, "3\n", "{called:?}");
    assert!(called.err.contains(&format!("`play` is a server of {}", real(&file).display())), "{called:?}");

    let mistyped = user.runs(&["call", "plya", "add"]);
    assert!(mistyped.status == Some(2) && mistyped.err.contains("did you mean `play` of "), "{mistyped:?}");
    let unknown = user.runs(&["call", "zebra", "add"]);
    assert!(unknown.err.contains("the servers of ") && unknown.err.contains("other, play"), "{unknown:?}");
}

/// Returns the command of a program that writes its environment to the file `seen`.
#[cfg(unix)]
fn spy(user: &User) -> Vec<String> {
    user.script("spy", "env > seen\nexit 1");
    vec!["./spy".to_owned()]
}

#[cfg(windows)]
fn spy(_: &User) -> Vec<String> {
    ["cmd", "/c", "set>seen"].map(str::to_owned).to_vec()
}

/// Returns the path that the program prints: it is in the working directory of a process, in which links are resolved.
fn real(path: &Path) -> PathBuf {
    if cfg!(windows) { path.to_owned() } else { path.canonicalize().unwrap() }
}

#[test]
fn a_server_of_the_file_gets_only_the_variables_that_are_named() {
    let user = User::new();
    let spy = spy(&user);
    let servers = json!({"mcpServers": {"spy": {"command": spy[0], "args": spy[1..], "env": {"GIVEN": "1"}}}});
    user.write(".mcp.json", &servers.to_string());
    let seen = || fs::read_to_string(user.folder.path().join("seen")).unwrap().replace('\r', "");
    printed(user.command(&["list", "spy", "--env", "PASSED", "--env", "SET=2"]).env("SECRET", "s").env("PASSED", "3"));
    let of_file = seen();
    assert!(["GIVEN=1\n", "PASSED=3\n", "SET=2\n"].iter().all(|line| of_file.contains(line)), "{of_file}");
    assert!(!of_file.contains("SECRET"), "{of_file}");
    // A command that the user types gets the environment of the user.
    printed(user.command(&["list", &spy.join(" ")]).env("SECRET", "s"));
    assert!(seen().contains("SECRET=s\n"));
}

#[test]
fn a_broken_file_is_named() {
    let user = User::new();
    user.write(".mcp.json", "{\"mcpServers\": ");
    let printed = user.runs(&["list", "x"]);
    assert!(printed.status == Some(1) && printed.err.contains(".mcp.json: EOF while parsing"), "{printed:?}");
    user.write("other.json", "{}");
    let printed = user.runs(&["list", "x", "--config", "other.json"]);
    assert!(printed.err.contains("other.json: it has no object `mcpServers`"), "{printed:?}");
}
