//! Tests of `cargo mcp release`: what it writes, and that the programs it is for accept it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use interop::{Node, Python, Sandbox};
use mcp_agent_test::Cli;
use serde_json::{Value, json};
use test_env::{Missing, needs, run};

use crate::project::Project;
use crate::registry;

const METADATA: &str = r#"
[package.metadata.mcp]
title = "My server"
author = "Ada"

[package.metadata.mcp.env.API_TOKEN]
description = "the token of the service"
required = true
secret = true

[package.metadata.mcp.env.REGION]
description = "where the service runs"
default = "eu"

[[package.metadata.mcp.remotes]]
url = "https://mcp.example.com/mcp"
"#;

/// A project that can be released.
fn project() -> Option<Project> {
    let project = Project::new("my-release")?;
    let described = "license = \"MIT\"\nrepository = \"https://github.com/ada/my-release\"\nedition = \"2024\"\n";
    project.write("Cargo.toml", |text| text.replace("edition = \"2024\"\n", described) + METADATA);
    // Updates the lock file, as the first build of a user does. `cargo metadata` would do it too, but it needs the packages of
    // all platforms, and only those of this one are surely downloaded.
    let updated = project.cargo().args(["update", "--workspace"]).output().unwrap();
    assert!(updated.status.success(), "{}", text(&updated));
    Some(project)
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn release(project: &Project, out: &str) -> BTreeMap<String, Vec<u8>> {
    let output = project.mcp(&["release", "--profile", "dev", "--out", out]);
    assert!(output.status.success(), "{}", text(&output));
    files(&project.folder.join(out))
}

/// All files in a folder, by their path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(folder).unwrap().display().to_string(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn finish(command: Command) -> String {
    let finished = run(command, Duration::from_secs(180)).expect("the program finishes");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    finished.stdout + &finished.stderr
}

#[test]
fn a_release_is_complete_and_the_same_commit_gives_the_same_bytes() {
    let Some(project) = project() else { return };
    let first = release(&project, "first");
    let bundle = first.keys().find(|name| name.ends_with(".mcpb")).expect("a bundle");
    assert!(bundle.starts_with("my-release-0.1.0-"), "{bundle}");
    let hash = String::from_utf8(first["SHA256SUMS"].clone()).unwrap();
    let (hash, named) = hash.trim().split_once("  ").unwrap();
    assert_eq!(named, bundle);

    let entry: Value = serde_json::from_slice(&first["server.json"]).unwrap();
    assert_eq!(entry["name"], "io.github.ada/my-release");
    assert_eq!(entry["repository"], json!({"url": "https://github.com/ada/my-release", "source": "github"}));
    assert_eq!(entry["remotes"], json!([{"type": "streamable-http", "url": "https://mcp.example.com/mcp"}]));
    let [mcpb, cargo] = &entry["packages"].as_array().unwrap()[..] else { panic!("{entry:#}") };
    assert_eq!(mcpb["identifier"], format!("https://github.com/ada/my-release/releases/download/v0.1.0/{bundle}"));
    assert_eq!((&mcpb["fileSha256"], &mcpb["registryType"]), (&json!(hash), &json!("mcpb")));
    assert_eq!((&cargo["identifier"], &cargo["registryType"]), (&json!("my-release"), &json!("cargo")));
    let variables = json!([
        {"name": "API_TOKEN", "description": "the token of the service", "isRequired": true, "isSecret": true},
        {"name": "REGION", "description": "where the service runs", "isRequired": false, "isSecret": false, "default": "eu"},
    ]);
    assert_eq!((&mcpb["environmentVariables"], &cargo["environmentVariables"]), (&variables, &variables));

    registry::assert_is_valid(&entry);

    // The package itself is compiled again.
    project.write("src/lib.rs", |text| text);
    project.write("src/main.rs", |text| text);
    assert!(release(&project, "second") == first, "the bytes differ");
}

#[test]
fn the_official_tools_accept_the_bundle_and_the_plugin() {
    let Some(project) = project() else { return };
    let first = release(&project, "out");
    let bundle = project.folder.join("out").join(first.keys().find(|name| name.ends_with(".mcpb")).unwrap());
    let sandbox = Sandbox::new("cargo-mcp-release", "", Path::new(""));
    if let Some(node) = needs(Node::mcpb()) {
        let unpacked = sandbox.temporary().join("unpacked");
        let mcpb = |arguments: &[&Path]| {
            let mut command = node.program("@anthropic-ai/mcpb/dist/cli/cli.js", &sandbox);
            command.args(arguments);
            finish(command)
        };
        mcpb(&[Path::new("unpack"), &bundle, &unpacked]);
        let validated = mcpb(&[Path::new("validate"), &unpacked.join("manifest.json")]);
        assert!(validated.contains("validation passes"), "{validated}");
        let manifest: Value = serde_json::from_slice(&fs::read(unpacked.join("manifest.json")).unwrap()).unwrap();
        assert_eq!(manifest["user_config"]["api_token"]["sensitive"], true, "{manifest:#}");
        let mut program = sandbox.command(&unpacked.join(manifest["server"]["entry_point"].as_str().unwrap()));
        program.args(["call", "greet", "name=Ada"]);
        assert_eq!(finish(program), "Hello, Ada!\n", "the program in the bundle can be run");
    }
    if let Some(claude) = needs(Cli::pinned().map_err(|error| Missing::new("Claude Code CLI", error))) {
        for part in ["", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"] {
            let mut command = sandbox.command(claude.path());
            command.args(["plugin", "validate"]).arg(project.folder.join("out/plugin").join(part));
            let validated = finish(command);
            assert!(validated.contains("Validation passed"), "{part}: {validated}");
        }
    }
}

#[test]
fn all_that_the_registry_would_reject_is_named_at_once() {
    let Some(project) = Project::new("my-faults") else { return };
    project.write("Cargo.toml", |text| text.replace("description = \"An MCP server\"\n", "homepage = \"http://x\"\n"));
    fs::create_dir(project.folder.join("out")).unwrap();
    let output = project.mcp(&["release", "--no-build", "--out", "out"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    for fault in [
        "set `name` in [package.metadata.mcp]",
        "`description` in [package] is missing",
        "`homepage` in [package] is `http://x`",
    ] {
        assert!(text(&output).contains(fault), "{fault}: {}", text(&output));
    }
    project.write("Cargo.toml", |text| text + "\n[package.metadata.mcp]\nnmae = \"x\"\n");
    let output = project.mcp(&["release", "--no-build"]);
    assert!(text(&output).contains("unknown field `nmae`"), "{}", text(&output));
}

#[test]
fn setup_prepares_a_project_once_and_keeps_its_comments() {
    let Some(project) = Project::new("my-setup") else { return };
    project.write("Cargo.toml", |text| text.replace("edition", "repository = \"https://github.com/ada/my-setup\"\nedition"));
    let before = fs::read_to_string(project.folder.join("Cargo.toml")).unwrap();
    let first = project.mcp(&["release", "--setup"]);
    assert!(
        text(&first).contains("[package.metadata.binstall]") && text(&first).contains("mcp-name: io.github.ada/my-setup"),
        "{}",
        text(&first)
    );
    let after = fs::read_to_string(project.folder.join("Cargo.toml")).unwrap();
    for line in before.lines() {
        assert!(after.contains(line), "no {line} in {after}");
    }
    assert!(after.contains("name = \"io.github.ada/my-setup\"") && after.contains("pkg-fmt = \"zip\""), "{after}");
    check_workflow(&project.folder.join(".github/workflows/release.yml"));
    let second = project.mcp(&["release", "--setup"]);
    assert!(text(&second).starts_with("nothing was missing"), "{}", text(&second));
    assert_eq!(fs::read_to_string(project.folder.join("Cargo.toml")).unwrap(), after);
}

/// Reads the workflow with a YAML parser.
fn check_workflow(file: &Path) {
    let Some(python) = needs(Python::clients()) else { return };
    let sandbox = Sandbox::new("cargo-mcp-workflow", "", Path::new(""));
    let mut parse = python.script("yaml_to_json.py", &sandbox);
    parse.arg(file);
    let workflow: Value = serde_json::from_str(&finish(parse)).unwrap();
    let jobs = &workflow["jobs"];
    let targets = &jobs["bundle"]["strategy"]["matrix"]["include"];
    assert_eq!(targets[0], json!({"target": "x86_64-unknown-linux-musl", "os": "ubuntu-latest"}));
    let names: Vec<_> = targets.as_array().unwrap().iter().filter_map(|target| target["target"].as_str()).collect();
    let windows = ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"];
    assert!(names.len() == 6 && windows.iter().all(|target| names.contains(target)), "{names:?}");
    let commands = |job: &str| -> Vec<&str> {
        jobs[job]["steps"].as_array().unwrap().iter().filter_map(|step| step["run"].as_str()).collect()
    };
    assert!(commands("bundle").contains(&"cargo mcp release --target ${{ matrix.target }} --out release"), "{jobs:#}");
    let publish = commands("publish");
    assert!(publish.contains(&"cargo mcp release --no-build --out release"), "{jobs:#}");
    assert!(
        publish.contains(&"cargo publish --locked") && publish.last().unwrap().contains("mcp-publisher publish"),
        "{jobs:#}"
    );
    assert_eq!(jobs["publish"]["needs"], "bundle");
    assert_eq!(workflow["permissions"], json!({"contents": "write", "id-token": "write"}));
}
