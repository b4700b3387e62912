//! Settings that only restrict: what one file switches on, another file does not switch off.

use mcp_guard::Behavior::{Allow, Ask, Deny};
use serde_json::json;

use super::Place::{Local, Project, User};
use super::{Folders, Row, check, echo, permissions, touch, write};
use crate::test_setup::setup_or_skip;

#[tokio::test]
async fn a_switch_of_any_file_disables_bypassing_permissions() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let bypass = json!({"defaultMode": "bypassPermissions"});
    let disable = |place| (place, permissions(json!({"disableBypassPermissionsMode": "disable"})));
    let both = json!({"defaultMode": "bypassPermissions", "disableBypassPermissionsMode": "disable"});
    let rows = vec![
        Row::same([(User, permissions(both))], touch(), Ask),
        Row::same([disable(Project), (User, permissions(bypass.clone()))], touch(), Ask),
        Row::same([disable(Local), (User, permissions(bypass))], touch(), Ask),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn a_switch_of_any_file_denies_instead_of_prompting_which_the_cli_takes_from_the_user_only() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let switch = |place| (place, permissions(json!({"denyInsteadOfPrompting": true})));
    let off = |place| (place, permissions(json!({"denyInsteadOfPrompting": false, "allow": ["Bash(echo *)"]})));
    let rows = vec![
        Row::same([switch(User)], touch(), Deny),
        Row::differs([switch(Project)], touch(), Ask, Deny),
        Row::differs([switch(Local)], touch(), Ask, Deny),
        Row::differs([switch(Project), off(User)], touch(), Ask, Deny),
        Row::same([switch(Project), off(User)], echo(), Allow),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn a_switch_of_any_file_keeps_file_tools_inside_of_the_working_directories() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let reads = |place| (place, permissions(json!({"blockReadsOutsideWorkingDirectories": true})));
    let writes = |place| (place, permissions(json!({"blockWritesOutsideWorkingDirectories": true})));
    let allow = (User, permissions(json!({"allow": ["Read", "Write"]})));
    let read = ("Read", json!({"file_path": folders.outside.join("file")}));
    let write = write(&folders.outside);
    let rows = vec![
        Row::same([allow.clone()], read.clone(), Allow),
        Row::same([allow.clone()], write.clone(), Allow),
        Row::same([reads(Project), allow.clone()], read.clone(), Deny),
        Row::same([reads(Local), allow.clone()], read, Deny),
        Row::same([writes(Project), allow.clone()], write.clone(), Deny),
        Row::same([writes(Local), allow], write, Deny),
    ];
    check(&setup, &folders, rows).await;
}
