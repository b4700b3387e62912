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
        self.run("install", arguments)
    }

    fn run(&self, command_name: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(example("calculator"));
        command.env_clear().env("HOME", &self.0).current_dir(&self.0).stdin(Stdio::null());
        // The names on Windows.
        command.env("USERPROFILE", &self.0).env("APPDATA", self.0.join("AppData/Roaming"));
        command.arg(command_name).args(arguments).output().unwrap()
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
fn json_names_the_file_the_entry_and_whether_the_file_was_changed() {
    let home = Home::new("json");
    let run = |command: &str, arguments: &[&str]| -> Value {
        let output = home.run(command, &[&["cursor", "--json"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let entry = json!({"command": program(), "args": []});
    let expected = |entry: &Value, changed: bool| {
        let file = home.0.join(".cursor").join("mcp.json").display().to_string();
        json!({"client": "cursor", "file": file, "name": "calculator", "entry": entry, "changed": changed})
    };
    assert_eq!(run("install", &[]), expected(&entry, false));
    assert_eq!(files(&home.0), 0, "without --write nothing is changed");
    assert_eq!(run("install", &["--write"]), expected(&entry, true));
    assert_eq!(run("install", &["--write"]), expected(&entry, false));
    assert_eq!(run("uninstall", &[]), expected(&entry, false));
    assert_eq!(home.json(".cursor/mcp.json"), json!({"mcpServers": {"calculator": entry}}));
    assert_eq!(run("uninstall", &["--write"]), expected(&entry, true));
    assert_eq!(run("uninstall", &["--write"]), expected(&Value::Null, false));
}

#[test]
fn with_write_each_client_gets_its_own_file_and_format() {
    let home = Home::new("write");
    for (client, file, key) in [
        ("claude-code", ".claude.json", "mcpServers"),
        ("claude-desktop", desktop(), "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", ".vscode/mcp.json", "servers"),
        ("gemini-cli", ".gemini/settings.json", "mcpServers"),
        ("zed", zed(), "context_servers"),
        ("windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"),
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
        let removed = home.run("uninstall", &[client, "--write"]);
        assert!(text(&removed.stdout).starts_with("removed `calculator`"), "{client}: {}", text(&removed.stderr));
        assert_eq!(home.json(file), json!({key: {}}), "{client}");
        let again = home.run("uninstall", &[client, "--write"]);
        assert!(again.status.success() && text(&again.stdout).contains("is not in"), "{client}: {}", text(&again.stdout));
    }
}

#[test]
fn the_toml_file_of_codex_keeps_its_comments_and_its_order() {
    let home = Home::new("codex");
    let file = home.0.join(".codex/config.toml");
    fs::create_dir(home.0.join(".codex")).unwrap();
    let before = "model = \"x\" # the good one\n\n[tui]\nz = 1\n# last\na = 2\n";
    fs::write(&file, before).unwrap();
    assert!(home.install(&["codex", "--write", "--env", "A=1", "--", "x"]).status.success());
    let after = fs::read_to_string(&file).unwrap();
    let entry = after.strip_prefix(before).expect("the rest is kept").trim_start();
    // Backslashes need no escapes in single quotes.
    let program = if cfg!(windows) { format!("'{}'", program()) } else { format!("{:?}", program()) };
    assert_eq!(entry, format!("[mcp_servers.calculator]\ncommand = {program}\nargs = [\"x\"]\nenv = {{ A = \"1\" }}\n"));
    assert_eq!(text(&home.install(&["codex", "--env", "A=1", "--", "x"]).stdout), entry, "without --write it is printed");
    assert!(home.run("uninstall", &["codex", "--write"]).status.success());
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    fs::write(&file, "model = ").unwrap();
    let output = home.install(&["codex", "--write"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("was not changed: invalid TOML at line 1"), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(&file).unwrap(), "model = ");
}

#[test]
fn uninstall_without_write_prints_the_entry_and_changes_nothing() {
    let home = Home::new("uninstall");
    home.install(&["cursor", "--write"]);
    let before = fs::read_to_string(home.0.join(".cursor/mcp.json")).unwrap();
    let output = home.run("uninstall", &["cursor"]);
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, json!({"mcpServers": {"calculator": {"command": program(), "args": []}}}));
    assert!(text(&output.stderr).starts_with("remove this from "), "{}", text(&output.stderr));
    assert_eq!(fs::read_to_string(home.0.join(".cursor/mcp.json")).unwrap(), before);
}

fn zed() -> &'static str {
    if cfg!(windows) { "AppData/Roaming/Zed/settings.json" } else { ".config/zed/settings.json" }
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
