//! The commands that `docs/client.md` shows.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::setup::{User, playground, printed};

#[test]
fn the_commands_of_the_page_print_what_it_shows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/client.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, session) = page.split_once("```console\n$ ").expect("a session of a terminal");
    let (session, _) = session.split_once("```").expect("the end of the session");
    let user = User::new();
    user.script("playground", &format!("exec {}", playground()));
    user.script("cargo", &format!("exec {} \"$@\"", env!("CARGO_BIN_EXE_cargo-mcp")));
    user.write(".mcp.json", &json!({"mcpServers": {"play": {"command": "./playground"}}}).to_string());
    let folder = user.folder.path().canonicalize().unwrap().display().to_string();
    let steps: Vec<&str> = session.split("\n$ ").collect();
    assert!(steps.len() >= 8, "{steps:?}");
    for step in steps {
        let (command, shown) = step.split_once('\n').expect("a command has an output");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{command} 2>&1")]).current_dir(&folder).stdin(Stdio::null());
        shell.env_clear().env("HOME", &folder).env("PATH", format!("{folder}:/usr/bin:/bin"));
        let output = printed(&mut shell).out.replace(&folder, "FOLDER");
        assert_eq!(output.trim_end(), shown.trim_end(), "{command}");
    }
}
