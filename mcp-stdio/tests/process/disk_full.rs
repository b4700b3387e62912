//! Files that cannot be written: the disk is full, or nothing may be created in a folder.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::client::{Client, example, server};

/// A program that cannot write a byte to any file, as on a full disk. Pipes have no limit.
fn on_a_full_disk(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("sh");
    // Without the trap, the system ends a process at the limit.
    command.args(["-c", r#"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#]).arg(program.as_ref());
    command
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().display().to_string());
    names.collect()
}

#[test]
fn a_recording_ends_with_one_warning_and_the_server_continues() {
    let file = std::env::temp_dir().join(format!("mcp-full-{}", std::process::id()));
    let mut client = Client::spawn(on_a_full_disk(example("logs")).env("MCP_RECORD", &file).env_remove("RUST_LOG"));
    client.handshake();
    for id in ["a", "b", "c"] {
        client.call(id, "look_up", &json!({"word": "egg"}));
        assert_ne!(client.text(id), "");
    }
    client.close_input();
    assert!(client.end().0.success());
    let errors = client.all_errors();
    assert_eq!(errors.matches("the recording ends here").count(), 1, "{errors}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "");
    fs::remove_file(file).unwrap();
}

#[test]
fn a_recording_that_cannot_be_created_is_an_error_that_names_the_file() {
    let output = Command::new(server()).env("MCP_RECORD", "/proc/recording").stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && errors.contains("/proc/recording") && errors.contains("MCP_RECORD"), "{errors}");
}

#[test]
fn install_leaves_the_old_file_and_no_temporary_file_on_a_full_disk() {
    let home = std::env::temp_dir().join(format!("mcp-install-full-{}", std::process::id()));
    let folder = home.join(".cursor");
    fs::create_dir_all(&folder).unwrap();
    let before = "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}} // mine\n";
    fs::write(folder.join("mcp.json"), before).unwrap();
    let mut command = on_a_full_disk(example("calculator"));
    let output = command.args(["install", "cursor", "--write"]).env("HOME", &home).stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("mcp.json") && errors.contains("File too large"), "{errors}");
    assert_eq!(fs::read_to_string(folder.join("mcp.json")).unwrap(), before);
    assert_eq!(files(&folder), ["mcp.json"]);
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn install_names_the_file_if_its_folder_cannot_be_created() {
    let mut command = Command::new(example("calculator"));
    let output = command.args(["install", "cursor", "--write"]).env("HOME", "/proc").stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("/proc/.cursor"), "{errors}");
}
