//! Tests of `cargo mcp new`.

use std::fs;

use crate::project::{Project, cargo_mcp, target, workspace};

#[test]
fn a_new_project_builds_tests_and_installs() {
    let Some(project) = Project::new("my-server") else { return };
    let tested = project.cargo().args(["test", "--quiet"]).output().unwrap();
    assert!(
        tested.status.success(),
        "{}{}",
        String::from_utf8_lossy(&tested.stdout),
        String::from_utf8_lossy(&tested.stderr)
    );

    // A repository, for which nothing is committed yet.
    assert!(project.folder.join(".git/HEAD").exists() && project.folder.join(".github/workflows/test.yml").exists());

    // The program uses the build of the tests: no dependency is compiled a second time.
    let called = project.cargo().args(["run", "--", "call", "greet", "name=Ada"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&called.stdout), "Hello, Ada!\n");
    let built = String::from_utf8_lossy(&called.stderr);
    assert!(!built.contains("Compiling mcp-core"), "{built}");

    let formatted = project.cargo().args(["fmt", "--check"]).output().unwrap();
    assert!(formatted.status.success(), "{}", String::from_utf8_lossy(&formatted.stdout));

    let program = target().join("debug/my-server");
    let installed = std::process::Command::new(&program)
        .args(["install", "mcp-json", "--write"])
        .current_dir(&project.folder)
        .output()
        .unwrap();
    assert!(installed.status.success());
    let config = fs::read_to_string(project.folder.join(".mcp.json")).unwrap();
    assert!(config.contains("\"my-server\"") && config.contains(&program.display().to_string()), "{config}");
}

#[test]
fn an_existing_folder_is_not_changed_and_invalid_names_are_rejected() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("taken")).unwrap();
    assert_eq!(cargo_mcp(home.path(), &["new", "taken"]).status.code(), Some(1));
    for arguments in [
        &["new"][..],
        &["new", "a", "b"],
        &["new", "1x"],
        &["new", "x", "--oops"],
        &["new", "x", "--git"],
        &["new", "x", "--template", "nothing"],
        &["new", "x", "--template"],
        &["nwe"],
    ] {
        let output = cargo_mcp(home.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn every_command_has_help() {
    let home = tempfile::tempdir().unwrap();
    for arguments in [&["--help"][..], &["help"], &["new", "--help"], &["new", "x", "-h"], &["dev", "--help"]] {
        let output = cargo_mcp(home.path(), arguments);
        assert!(output.status.success() && output.stdout.starts_with(b"Create MCP servers"), "{arguments:?}");
        let help = String::from_utf8(output.stdout).unwrap();
        // Under Wine this program was built with paths of Linux.
        let folder = workspace().display().to_string().replace('\\', "/");
        assert!(help.replace('\\', "/").contains(&folder), "it says where the framework comes from: {help}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn a_project_can_take_the_framework_from_git() {
    let home = tempfile::tempdir().unwrap();
    assert!(cargo_mcp(home.path(), &["new", "x", "--git", "https://example.com/mcp"]).status.success());
    let manifest = fs::read_to_string(home.path().join("x/Cargo.toml")).unwrap();
    assert!(manifest.contains("mcp-stdio = { git = \"https://example.com/mcp\" }"), "{manifest}");
}
