//! Permission settings of the real CLI, held against the same settings in `mcp_guard::Rules`.

use std::fs;
use std::path::PathBuf;

use mcp_agent::Decision;
use mcp_agent_test::Turn;
use mcp_guard::{Behavior, Rules};
use serde_json::{Value, json};

use crate::test_setup::{TestSetup, ask, setup_or_skip, within};

/// A place of a settings file.
#[derive(Debug, Clone, Copy)]
enum Place {
    Project,
    TrustedProject,
    Local,
    User,
}

use Place::{Local, Project, TrustedProject, User};

/// What a tool use is expected to do without a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Runs {
    in_cli: bool,
    by_rules: bool,
}

const BOTH: Runs = Runs { in_cli: true, by_rules: true };
const NEITHER: Runs = Runs { in_cli: false, by_rules: false };
/// The rules are stricter than the CLI.
const ONLY_CLI: Runs = Runs { in_cli: true, by_rules: false };

/// Runs one tool use with these settings in one file, and returns whether it ran without a question in the CLI, and whether
/// the rules allow it.
async fn run(setup: &TestSetup, place: Place, permissions: &Value, tool: &str, input: &Value) -> Runs {
    let (work, home) = (setup.sandbox.work().canonicalize().unwrap(), setup.sandbox.home().canonicalize().unwrap());
    let file: PathBuf = match place {
        Project | TrustedProject => work.join(".claude/settings.json"),
        Local => work.join(".claude/settings.local.json"),
        User => home.join(".claude/settings.json"),
    };
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, json!({"permissions": permissions}).to_string()).unwrap();
    let trusts = matches!(place, TrustedProject);
    let known = json!({"projects": {work.to_str().unwrap(): {"hasTrustDialogAccepted": trusts}}});
    fs::write(home.join(".claude.json"), known.to_string()).unwrap();
    let by_rules = Rules::load(&work, &home).unwrap().resolve(tool, input).behavior == Behavior::Allow;
    let mut session = within(setup.agent().permission(|_| async { Decision::deny("asked") }).open()).await.unwrap();
    ask(&mut session, [Turn::tool(tool, input.clone()), Turn::text("done")]).await;
    let _ = within(session.close()).await;
    let in_cli = !setup.model.tool_results().last().unwrap().is_error;
    fs::remove_file(&file).unwrap();
    Runs { in_cli, by_rules }
}

#[tokio::test]
async fn settings_of_a_repository_allow_nothing_that_the_cli_does_not_allow() {
    let setup = setup_or_skip!();
    let outside = setup.sandbox.tmp().canonicalize().unwrap().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("file"), "content").unwrap();
    let directories = json!({"additionalDirectories": [outside]});
    let allow = json!({"allow": ["Bash(touch *)"]});
    let mode = |mode: &str| json!({"defaultMode": mode});
    let read = ("Read", json!({"file_path": outside.join("file")}));
    let touch = ("Bash", json!({"command": "touch made", "description": "touch"}));
    let rows = [
        (Project, &directories, &read, NEITHER),
        (TrustedProject, &directories, &read, BOTH),
        (Local, &directories, &read, ONLY_CLI),
        (User, &directories, &read, BOTH),
        (Project, &allow, &touch, NEITHER),
        (TrustedProject, &allow, &touch, BOTH),
        (Local, &allow, &touch, ONLY_CLI),
        (User, &allow, &touch, BOTH),
        (Project, &mode("bypassPermissions"), &touch, NEITHER),
        (TrustedProject, &mode("bypassPermissions"), &touch, NEITHER),
        (Local, &mode("bypassPermissions"), &touch, NEITHER),
        (User, &mode("bypassPermissions"), &touch, BOTH),
        (Project, &mode("acceptEdits"), &touch, ONLY_CLI),
        (User, &mode("dontAsk"), &touch, NEITHER),
    ];
    let mut wrong = Vec::new();
    for (place, permissions, (tool, input), expected) in rows {
        let found = run(&setup, place, permissions, tool, input).await;
        if found != expected {
            wrong.push(format!("{place:?} {permissions}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
