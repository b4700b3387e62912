//! Attempts to bypass rules for paths: dot segments, symbolic links, case and other tools.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use mcp_agent_tools::PermissionMode;
use mcp_guard::{Behavior, Layer, Rules};
use serde_json::{Value, json};
use tempfile::TempDir;

use Behavior::{Allow, Ask, Deny};

use crate::bash;

/// Creates a project with secret files, symbolic links to them, and a file outside the project.
fn project() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let work = root.join("work");
    for directory in ["work/src/deep", "work/secrets", "outside"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for file in ["work/src/main.rs", "work/secrets/key", "work/.env", "outside/file"] {
        fs::write(root.join(file), "x").unwrap();
    }
    symlink(work.join("secrets"), work.join("src/link")).unwrap();
    symlink(work.join(".env"), work.join("src/innocent")).unwrap();
    symlink(root.join("outside"), work.join("src/out")).unwrap();
    symlink(work.join("secrets/new"), work.join("src/dangling")).unwrap();
    (folder, work)
}

fn file(tool: &str, path: &str) -> (String, Value) {
    let input = match tool {
        "Read" => json!({"file_path": path}),
        "Write" => json!({"file_path": path, "content": "x"}),
        "Edit" => json!({"file_path": path, "old_string": "a", "new_string": "b"}),
        "MultiEdit" => json!({"edits": [{"file_path": path, "old_string": "a", "new_string": "b"}]}),
        "NotebookEdit" => json!({"notebook_path": path, "new_source": "x"}),
        "Grep" => json!({"pattern": "x", "path": path}),
        "Glob" => json!({"pattern": "*", "path": path}),
        "Bash" => json!({"command": path}),
        _ => panic!("no such tool: {tool}"),
    };
    (tool.to_owned(), input)
}

#[test]
fn a_denied_path_is_denied_in_every_spelling() {
    let (_folder, work) = project();
    let rules = Rules::new(&work).home("/nowhere/me").mode(PermissionMode::BypassPermissions);
    let rules = rules.deny(Layer::Project, "Read(./secrets/**)").unwrap().deny(Layer::User, "Read(.env)").unwrap();
    let rules = rules.deny(Layer::Local, "Edit(.env)").unwrap().deny(Layer::Policy, "Edit(/secrets)").unwrap();
    let rules = rules.deny(Layer::Policy, "Read(~/.ssh/**)").unwrap().deny(Layer::Policy, "Read(//etc/shadow)").unwrap();
    let inside = |path: &str| work.join(path).to_string_lossy().into_owned();
    let read = [
        inside("secrets/key"),
        "secrets/key".into(),
        "./secrets/key".into(),
        inside("src/../secrets/key"),
        inside("src/./../secrets//key"),
        "src/../../work/secrets/key".into(),
        inside("SECRETS/key"),
        inside("Secrets/KEY"),
        inside("src/link/key"),
        inside("src/link"),
        inside("src/deep/../link/key"),
        inside("src/innocent"),
        inside(".env"),
        inside(".ENV"),
        inside("src/.env"),
        inside("src/deep/.Env"),
        "~/.ssh/id".into(),
        "/nowhere/me/.ssh/id".into(),
        "/etc/shadow".into(),
        "/etc/../etc/shadow".into(),
        "//etc//shadow".into(),
        inside("secrets/new/deeper"),
    ];
    for path in read {
        let (tool, input) = file("Read", &path);
        assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{path}");
    }
    for path in [".env", "src/.env", "src/innocent", "secrets", "secrets/key", "src/link/x", "src/dangling", "src/../.ENV"] {
        for tool in ["Write", "Edit", "MultiEdit", "NotebookEdit"] {
            let (tool, input) = file(tool, &inside(path));
            assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{tool} {path}");
        }
    }
    for command in [
        "cat .env",
        "cat < .env",
        "cat ./src/../.env",
        "head -1 secrets/key",
        "sed -n p src/link/key",
        "echo x > .env",
        "echo x >> src/innocent",
        "tee .env",
        "cp .env /tmp/x",
        "ls; cat '.env'",
        "dd if=.env of=x",
        "grep x .ENV",
        "sudo cat .env",
        "echo $(cat .env)",
        "sh -c 'true' < .env",
    ] {
        let (tool, input) = file("Bash", command);
        assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{command}");
    }
    for (tool, path) in [("Grep", "secrets"), ("Glob", "secrets"), ("Grep", "src/link"), ("Read", "secrets/../secrets/key")]
    {
        let (tool, input) = file(tool, path);
        assert_eq!(rules.resolve(&tool, &input).behavior, Deny, "{tool} {path}");
    }
    // A search in the parent directory may read the denied files.
    for tool in ["Grep", "Glob"] {
        let (tool, input) = file(tool, ".");
        assert_eq!(rules.resolve(&tool, &input).behavior, Ask, "{tool}");
    }
    for (tool, path) in [
        ("Read", "src/main.rs"),
        ("Read", "secrets.md"),
        ("Read", ".envrc"),
        ("Write", "src/main.rs"),
        ("Read", "/etc/shadow-"),
        ("Bash", "cat src/main.rs"),
        ("Bash", "echo .env"),
    ] {
        let (tool, input) = file(tool, path);
        assert_eq!(rules.resolve(&tool, &input).behavior, Allow, "{tool} {path}");
    }
}

#[test]
fn an_allowed_path_does_not_allow_targets_outside_of_it() {
    let (_folder, work) = project();
    let rules = Rules::new(&work).mode(PermissionMode::DontAsk);
    let rules = rules.allow(Layer::Project, "Edit(./src/**)").unwrap().allow(Layer::Project, "Read(/src)").unwrap();
    let behavior = |tool: &str, path: &str| {
        let (tool, input) = file(tool, path);
        rules.resolve(&tool, &input).behavior
    };
    for path in ["src/main.rs", "src/new.rs", "src/deep/new/er.rs", "./src/./main.rs", "src/deep/../main.rs"] {
        assert_eq!(behavior("Write", path), Allow, "{path}");
    }
    for path in [
        "main.rs",
        "src/../.env",
        "src/../../outside/file",
        "src/link/key",
        "src/out/file",
        "src/innocent",
        "src/dangling",
        "SRC/main.rs",
        "/src/main.rs",
        "srcs/main.rs",
        "~/src/main.rs",
        "",
        "src\0/x",
    ] {
        assert_eq!(behavior("Write", path), Deny, "{path:?}");
    }
    let outside = work.join("../outside/file").to_string_lossy().into_owned();
    for (tool, path) in [("Read", outside.as_str()), ("Read", "src/out/file"), ("Grep", "src/out"), ("Grep", "..")] {
        assert_eq!(behavior(tool, path), Deny, "{tool} {path}");
    }
    let glob = |pattern: &str| rules.resolve("Glob", &json!({"pattern": pattern, "path": "src"})).behavior;
    assert_eq!((glob("**/*.rs"), glob("../../**"), glob("/etc/*"), glob("~/*")), (Allow, Deny, Deny, Deny));
}

#[test]
fn a_file_with_denied_edits_may_still_be_read() {
    let rules = Rules::new("/code").mode(PermissionMode::BypassPermissions).deny(Layer::User, "Edit(.env)").unwrap();
    let behavior = |command: &str| bash(&rules, command);
    assert_eq!((behavior("cat .env"), behavior("rm .env"), behavior("cat x > .env")), (Allow, Deny, Deny));
}
