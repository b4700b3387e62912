//! Tests of the command `install`: its output, and its changes to configuration files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::client::example;

/// A temporary home directory.
struct Home(PathBuf);

impl Home {
    fn new(test: &str) -> Home {
        let folder = std::env::temp_dir().join(format!("mcp-install-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Home(folder)
    }

    fn install(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(example("calculator"));
        command.env_clear().env("HOME", &self.0).current_dir(&self.0).stdin(Stdio::null());
        // The names on Windows.
        command.env("USERPROFILE", &self.0).env("APPDATA", self.0.join("AppData/Roaming"));
        command.arg("install").args(arguments).output().unwrap()
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.0.join(file)).unwrap()).unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn program() -> String {
    let path = example("calculator");
    // On Windows the canonical path has a prefix (`\\\\?\\`) that programs do not know their own path by.
    if cfg!(windows) { path } else { fs::canonicalize(path).unwrap() }.display().to_string()
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn without_write_it_prints_and_changes_no_file() {
    let home = Home::new("print");
    let line = home.install(&["claude-code", "--env", "KEY=a b", "--", "--port", "1"]);
    let quote = if cfg!(windows) { '"' } else { '\'' };
    assert_eq!(
        text(&line.stdout),
        format!("claude mcp add --scope user calculator --env {quote}KEY=a b{quote} -- {} --port 1\n", program())
    );
    let printed: Value = serde_json::from_slice(&home.install(&["vscode"]).stdout).unwrap();
    assert_eq!(printed, json!({"servers": {"calculator": {"type": "stdio", "command": program(), "args": []}}}));
    let printed: Value = serde_json::from_slice(&home.install(&["mcp-json", "--name", "sums"]).stdout).unwrap();
    assert_eq!(printed, json!({"mcpServers": {"sums": {"command": program(), "args": []}}}));
    assert_eq!(files(&home.0), 0);
}

#[test]
fn with_write_each_client_gets_its_own_file_and_format() {
    let home = Home::new("write");
    for (client, file, key) in [
        ("claude-code", ".claude.json", "mcpServers"),
        ("claude-desktop", desktop(), "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("mcp-json", ".mcp.json", "mcpServers"),
    ] {
        let output = home.install(&[client, "--write", "--env", "A=1", "--", "x"]);
        assert!(output.status.success(), "{client}: {}", text(&output.stderr));
        let entry = home.json(file)[key]["calculator"].take();
        assert_eq!(
            (&entry["command"], &entry["args"], &entry["env"]),
            (&json!(program()), &json!(["x"]), &json!({"A": "1"})),
            "{client}"
        );
        let again = home.install(&[client, "--write", "--env", "A=1", "--", "x"]);
        assert!(text(&again.stdout).contains("already"), "{client}: {}", text(&again.stdout));
    }
}

fn desktop() -> &'static str {
    if cfg!(target_os = "macos") {
        "Library/Application Support/Claude/claude_desktop_config.json"
    } else if cfg!(windows) {
        "AppData/Roaming/Claude/claude_desktop_config.json"
    } else {
        ".config/Claude/claude_desktop_config.json"
    }
}

#[test]
fn existing_content_of_the_file_is_kept() {
    let home = Home::new("keep");
    let file = home.0.join(".mcp.json");
    let before = "{\n    // by hand\n    \"z\": 1,\n    \"mcpServers\": {\n        \"other\": { \"command\": \"x\" }\n    },\n    \"a\": [ 1 ]\n}\n";
    fs::write(&file, before).unwrap();
    assert!(home.install(&["mcp-json", "--write"]).status.success());
    let after = fs::read_to_string(&file).unwrap();
    let added = after.find(",\n        \"calculator\"").unwrap();
    let end = after.find("\n    },\n    \"a\"").unwrap();
    assert_eq!(format!("{}{}", &after[..added], &after[end..]), before, "nothing but the entry was added");
    assert_eq!(files(&home.0), 1, "no temporary file is left");
}

#[test]
fn a_file_with_invalid_json_is_not_changed() {
    let home = Home::new("broken");
    let file = home.0.join(".mcp.json");
    fs::write(&file, "{ oops").unwrap();
    let output = home.install(&["mcp-json", "--write"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("was not changed: invalid JSON"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&file).unwrap(), "{ oops");
}

#[test]
fn an_unknown_client_is_rejected_with_a_suggestion() {
    let home = Home::new("unknown");
    let output = home.install(&["curser", "--write"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean `cursor`?"), "{}", text(&output.stderr));
}
