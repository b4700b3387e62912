//! Settings of the user and of a project: rules, directories, modes, and the root of the repository.

use mcp_guard::Behavior::{Allow, Ask, Deny};
use serde_json::json;

use super::Place::{Local, Project, Root, RootLocal, User};
use super::{Folders, Row, check, echo, permissions, touch, write};
use crate::test_setup::setup_or_skip;

#[tokio::test]
async fn settings_of_a_repository_allow_nothing_that_the_cli_does_not_allow() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let directories = permissions(json!({"additionalDirectories": [folders.outside]}));
    let allow = permissions(json!({"allow": ["Bash(touch *)"]}));
    let read = ("Read", json!({"file_path": folders.outside.join("file")}));
    let one = |place, settings: &serde_json::Value| vec![(place, settings.clone())];
    let rows = vec![
        Row::same(one(Project, &directories), read.clone(), Ask),
        Row::same(one(Project, &directories), read.clone(), Allow).trusted(),
        Row::differs(one(Local, &directories), read.clone(), Allow, Ask),
        Row::same(one(User, &directories), read, Allow),
        Row::same(one(Project, &allow), touch(), Ask),
        Row::same(one(Project, &allow), touch(), Allow).trusted(),
        Row::differs(one(Local, &allow), touch(), Allow, Ask),
        Row::same(one(User, &allow), touch(), Allow),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn a_mode_of_a_repository_does_not_allow_more_than_the_default() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let mode = |place, mode: &str| (place, permissions(json!({ "defaultMode": mode })));
    let options = json!([{"label": "a", "description": "A."}, {"label": "b", "description": "B."}]);
    let question =
        json!({"questions": [{"question": "Which?", "header": "Which", "options": options, "multiSelect": false}]});
    let rows = vec![
        Row::same([mode(Project, "bypassPermissions")], touch(), Ask),
        Row::same([mode(Project, "bypassPermissions")], touch(), Ask).trusted(),
        Row::same([mode(Local, "bypassPermissions")], touch(), Ask),
        Row::same([mode(User, "bypassPermissions")], touch(), Allow),
        Row::differs([mode(Project, "acceptEdits")], touch(), Allow, Ask),
        Row::same([mode(User, "dontAsk")], touch(), Deny),
        Row::same([mode(Project, "dontAsk")], touch(), Deny),
        // The CLI denies commands in plan mode, and asks about writing. The rules ask.
        Row::differs([mode(Local, "plan"), mode(User, "bypassPermissions")], touch(), Deny, Ask),
        Row::differs([mode(User, "plan")], touch(), Deny, Ask),
        Row::same([mode(User, "plan")], write(&folders.work), Ask),
        Row::same([mode(User, "plan")], ("ExitPlanMode", json!({"plan": "touch a file"})), Ask),
        Row::same([mode(User, "plan")], ("AskUserQuestion", question), Ask),
        Row::same([mode(Project, "default"), mode(User, "bypassPermissions")], touch(), Ask),
        Row::same([mode(Local, "manual"), mode(User, "bypassPermissions")], touch(), Ask),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn the_mode_of_the_file_nearest_to_the_project_counts() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let mode = |place, mode: &str| (place, permissions(json!({ "defaultMode": mode })));
    let make = || ("Bash", json!({"command": "make made", "description": "make"}));
    let rows = vec![
        Row::same([mode(Project, "dontAsk"), mode(Local, "default")], touch(), Ask),
        Row::same([mode(Project, "default"), mode(Local, "dontAsk")], touch(), Deny),
        // A mode that is not taken from a project leaves no other mode that allows more than the default one.
        Row::same([mode(User, "bypassPermissions"), mode(Project, "bypassPermissions")], touch(), Allow),
        Row::same([mode(User, "bypassPermissions"), mode(Local, "bypassPermissions")], touch(), Allow),
        Row::same([mode(User, "bypassPermissions"), mode(Project, "acceptEdits")], make(), Ask),
        Row::same([mode(User, "acceptEdits"), mode(Project, "bypassPermissions")], touch(), Ask),
        // The CLI ignores a name that it does not know.
        Row::differs([mode(User, "bypassPermissions"), mode(Project, "x")], touch(), Allow, Ask),
        // The CLI then forgets the mode of the user, and the rules keep it if it is stricter.
        Row::differs([mode(User, "dontAsk"), mode(Project, "bypassPermissions")], touch(), Ask, Deny),
        Row::differs([mode(User, "dontAsk"), mode(Local, "bypassPermissions")], touch(), Ask, Deny),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn deny_and_ask_rules_of_every_file_precede_allow_rules_of_every_other() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let allow = |place| (place, permissions(json!({"allow": ["Bash(touch *)", "Bash(echo *)"]})));
    let deny = |place| (place, permissions(json!({"deny": ["Bash(touch *)"]})));
    let ask = |place| (place, permissions(json!({"ask": ["Bash(echo *)"]})));
    let rows = vec![
        Row::same([deny(Project)], touch(), Deny),
        Row::same([deny(Project), allow(User)], touch(), Deny),
        Row::same([deny(Local), allow(User)], touch(), Deny),
        Row::same([deny(User), allow(Project)], touch(), Deny).trusted(),
        Row::same([ask(Project), allow(User)], echo(), Ask),
        Row::same([ask(Local), allow(User)], echo(), Ask),
        Row::same([ask(User), allow(Project)], echo(), Ask).trusted(),
        Row::same([ask(User), (Project, permissions(json!({"deny": ["Bash"]})))], echo(), Deny),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn settings_in_the_root_of_a_repository_restrict_in_its_folders() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let deny = |place| (place, permissions(json!({"deny": ["Bash(touch *)"]})));
    let ask = |place| (place, permissions(json!({"ask": ["Bash(echo *)"]})));
    let allow = |place| (place, permissions(json!({"allow": ["Bash(touch *)"]})));
    let rows = vec![
        // The CLI reads only the local settings there.
        Row::differs([deny(Root)], touch(), Ask, Deny),
        Row::differs([ask(Root)], echo(), Allow, Ask),
        Row::same([allow(Root)], touch(), Ask).trusted(),
        Row::same([deny(RootLocal)], touch(), Deny),
        Row::same([ask(RootLocal)], echo(), Ask),
        Row::differs([allow(RootLocal)], touch(), Allow, Ask),
        Row::same([allow(RootLocal)], touch(), Allow).trusted(),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn an_allow_rule_without_a_pattern_allows_one_tool_and_one_with_a_pattern_all_tools_for_files() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let allow = |rule: &str| [(User, permissions(json!({"allow": [rule]})))];
    let rows = vec![
        Row::same(allow("Edit"), write(&folders.work), Ask),
        Row::same(allow("Write"), write(&folders.work), Allow),
        Row::same(allow("Write"), write(&folders.outside), Allow),
        Row::same(allow("Edit(new)"), write(&folders.work), Allow),
        Row::same(allow("Edit(new)"), write(&folders.outside), Ask),
        Row::same(allow(&format!("Edit(/{}/**)", folders.outside.display())), write(&folders.outside), Allow),
        Row::same(allow(&format!("Edit(/{}/**)", folders.outside.display())), write(&folders.work), Ask),
    ];
    check(&setup, &folders, rows).await;
}
