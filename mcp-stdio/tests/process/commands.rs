//! The commands of a server binary.

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::client::example;

fn run(name: &str, arguments: &[&str]) -> Output {
    Command::new(example(name)).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs a command that must succeed. Returns its output.
fn said(name: &str, arguments: &[&str]) -> String {
    let output = run(name, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(name: &str, arguments: &[&str]) -> Value {
    serde_json::from_str(&said(name, arguments)).unwrap()
}

#[test]
fn help_names_every_command_and_version_is_one_line() {
    let help = said("calculator", &["--help"]);
    for word in [
        "tools [--json]",
        "call TOOL",
        "resources",
        "read URI",
        "prompts",
        "get PROMPT",
        "complete PROMPT",
        "check",
        "docs",
        "schema",
        "install CLIENT",
        "manifest",
        "server-json",
        "completions SHELL",
        "vscode",
    ] {
        assert!(help.contains(word), "no {word} in {help}");
    }
    assert_eq!(said("calculator", &["--version"]), "calculator 0.0.0\n");
    assert_eq!(said("calculator", &["-h"]), help);
}

#[test]
fn tools_as_json_are_those_that_a_client_receives() {
    let tools = json("calculator", &["tools", "--json"]);
    let names: Vec<&Value> = tools["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["add", "divide", "statistics"]);
    assert!(said("calculator", &["tools"]).contains("statistics numbers=[NUMBER, ...]\n    Summarise"));
}

#[test]
fn call_arguments_get_the_types_of_the_schema_and_may_be_json() {
    assert_eq!(said("calculator", &["call", "add", "a=2", "b=3"]), "5\n");
    assert_eq!(said("calculator", &["call", "add", r#"{"a": 2}"#, "b=-3"]), "-1\n");
    let result = json("calculator", &["call", "statistics", "numbers=1", "numbers=5", "--json"]);
    assert_eq!(result["structuredContent"]["mean"], 3.0);
}

#[test]
fn a_failed_call_as_json_is_on_standard_output_and_still_fails() {
    let output = run("calculator", &["call", "divide", "a=1", "b=0", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["isError"], true);
    assert!(output.stderr.is_empty());
}

#[test]
fn without_a_terminal_there_is_no_progress_bar_but_logs_are_shown() {
    let output = run("progress", &["call", "boil", "seconds=1"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "boiled for 1 s\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "info: boiling for 1 s\n");
}

#[test]
fn check_reports_nothing_for_the_calculator_and_warnings_for_torture() {
    assert_eq!(said("calculator", &["check", "--strict"]), "calculator: 3 tools, 0 errors, 0 warnings\n");
    let warned = said("torture", &["check"]);
    assert!(warned.contains("warning: tool `echo`: argument `text` has no description"), "{warned}");
    assert_eq!(run("torture", &["check", "--strict"]).status.code(), Some(1));
}

#[test]
fn docs_show_tools_prompts_and_resources() {
    let page = said("notes", &["docs"]);
    for part in [
        "# notes",
        "## Tools\n\n### `write`",
        "| `title` | string | yes |",
        "## Prompts\n\n### `work_on`",
        "## Resources",
        "### `notes://{title}`",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(page.find("## Prompts") < page.find("## Resources"));
}

#[test]
fn schema_shows_all_tools_or_one() {
    let all = json("calculator", &["schema"]);
    assert_eq!(all["add"]["input"]["required"], json!(["a", "b"]));
    assert_eq!(json("calculator", &["schema", "statistics"])["output"]["properties"]["count"]["type"], "integer");
    assert_eq!(run("calculator", &["schema", "ad"]).status.code(), Some(2));
}

#[test]
fn the_manifest_names_the_program_file_and_the_platform() {
    let (file, platform) = match std::env::consts::OS {
        "windows" => ("calculator.exe", "win32"),
        "macos" => ("calculator", "darwin"),
        other => ("calculator", other),
    };
    let manifest = json("calculator", &["manifest", "--author", "A. Author"]);
    assert_eq!(manifest["server"]["entry_point"], format!("server/{file}"));
    assert_eq!(manifest["server"]["mcp_config"]["command"], format!("${{__dirname}}/server/{file}"));
    assert_eq!(manifest["compatibility"]["platforms"], json!([platform]));
}

#[test]
fn server_json_is_an_entry_of_the_registry() {
    let entry = json("calculator", &["server-json", "io.github.someone/calc", "--crate", "calc-server"]);
    assert_eq!(entry["$schema"], "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json");
    assert_eq!(entry["name"], "io.github.someone/calc");
    assert_eq!(entry["packages"][0]["registryType"], "cargo");
    assert_eq!(entry["packages"][0]["identifier"], "calc-server");
    assert_eq!(entry["packages"][0]["transport"], json!({"type": "stdio"}));
    assert_eq!(entry["packages"][0]["version"], entry["version"]);
    assert_eq!(run("calculator", &["server-json"]).status.code(), Some(2));
}

/// The rules are from the schema of the registry (`ServerDetail`, `Package` and `StdioTransport`, version 2025-12-11) and from its
/// validator for crates: a version is required, and a file hash is not allowed.
#[test]
fn an_entry_follows_every_rule_of_the_registry() {
    let text = |value: &Value, least: usize, most: usize| {
        value.as_str().is_some_and(|text| (least..=most).contains(&text.chars().count()))
    };
    for server in ["calculator", "notes", "progress", "torture"] {
        let entry = json(server, &["server-json", "io.github.someone/calc"]);
        let known = ["$schema", "name", "title", "description", "version", "packages", "websiteUrl"];
        assert!(entry.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{entry:#}");
        assert!(text(&entry["name"], 3, 200) && text(&entry["description"], 1, 100), "{entry:#}");
        assert!(entry.get("title").is_none_or(|title| text(title, 1, 100)), "{entry:#}");
        let [package] = &entry["packages"].as_array().unwrap()[..] else { panic!("{entry:#}") };
        assert!(text(&package["registryType"], 1, usize::MAX) && text(&package["identifier"], 1, usize::MAX), "{entry:#}");
        assert_eq!(package["transport"]["type"], "stdio");
        assert!(package.get("fileSha256").is_none());
        for version in [&entry["version"], &package["version"]] {
            assert!(text(version, 1, 255), "{entry:#}");
            let version = version.as_str().unwrap();
            assert!(
                version != "latest" && !version.contains(['^', '~', '<', '>', '=', '*', 'x']),
                "{version} is not a range"
            );
        }
    }
}

#[test]
fn a_closed_standard_output_is_not_a_failure() {
    let mut child = Command::new(example("calculator"))
        .args(["tools", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
