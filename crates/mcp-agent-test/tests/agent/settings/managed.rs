//! Settings of an administrator. The CLI reads them from `/etc/claude-code` and from nowhere else, so this test runs itself
//! again in a user and mount namespace with another `/etc`.

use std::env;
use std::fs;
use std::process::Command;

use mcp_guard::Behavior::{Allow, Ask, Deny};
use mcp_guard::{Layer, Rules};
use serde_json::{Map, Value, json};
use test_env::{Missing, needs};

use super::Place::{Local, Managed, ManagedPart, Project, User};
use super::{Folders, Row, behavior_of_cli, check, echo, permissions, touch};
use crate::test_setup::setup_or_skip;

/// Set in the process that runs in the namespace.
const INSIDE: &str = "TEST_HAS_ITS_OWN_ETC";

/// What programs need of `/etc`.
const COPIED: [&str; 6] = ["group", "hosts", "ld.so.cache", "nsswitch.conf", "passwd", "resolv.conf"];

/// Runs a test of this module again with an `/etc` of its own. Returns false in that process, where the test has to go on.
fn runs_in_own_etc(test: &str) -> bool {
    let (_, module) = module_path!().split_once("::").unwrap();
    let test = format!("{module}::{test}");
    if env::var_os(INSIDE).is_some() {
        return false;
    }
    let namespace = || {
        let mut unshare = Command::new("unshare");
        unshare.args(["--user", "--map-root-user", "--mount"]);
        unshare
    };
    let can_unshare = namespace().arg("true").output().is_ok_and(|output| output.status.success());
    let found = if can_unshare { Ok(()) } else { Err(Missing::new("user namespaces", "`unshare --user --mount` fails")) };
    if needs(found).is_none() {
        return true;
    }
    let etc = tempfile::tempdir().unwrap();
    fs::create_dir(etc.path().join("claude-code")).unwrap();
    for name in COPIED {
        let _ = fs::copy(format!("/etc/{name}"), etc.path().join(name));
    }
    let mut inner = namespace();
    inner.args(["sh", "-c", r#"mount --bind "$0" /etc && exec "$@""#]).arg(etc.path());
    inner.arg(env::current_exe().unwrap()).args(["--exact", &test, "--nocapture"]).env(INSIDE, "1");
    let output = inner.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    true
}

#[tokio::test]
async fn managed_settings_files_decide_before_all_others() {
    if runs_in_own_etc("managed_settings_files_decide_before_all_others") {
        return;
    }
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let deny = |place| (place, permissions(json!({"deny": ["Bash(touch *)"]})));
    let ask = |place| (place, permissions(json!({"ask": ["Bash(echo *)"]})));
    let allow = |place| (place, permissions(json!({"allow": ["Bash(touch *)", "Bash(echo *)"]})));
    let mode = |place, mode: &str| (place, permissions(json!({ "defaultMode": mode })));
    let directories = (Managed, permissions(json!({"additionalDirectories": [folders.outside]})));
    let read = ("Read", json!({"file_path": folders.outside.join("file")}));
    let rows = vec![
        Row::same([deny(Managed), allow(User)], touch(), Deny),
        Row::same([deny(ManagedPart), allow(User)], touch(), Deny),
        Row::same([deny(ManagedPart), allow(Managed)], touch(), Deny),
        Row::same([ask(Managed), allow(User)], echo(), Ask),
        Row::same([ask(Managed), allow(Project)], echo(), Ask).trusted(),
        Row::same([allow(Managed)], touch(), Allow),
        Row::same([allow(ManagedPart)], touch(), Allow),
        Row::same([directories], read, Allow),
        Row::same([mode(Managed, "dontAsk")], touch(), Deny),
        Row::same([mode(Managed, "bypassPermissions")], touch(), Allow),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn a_mode_of_managed_settings_replaces_that_of_every_other_file() {
    if runs_in_own_etc("a_mode_of_managed_settings_replaces_that_of_every_other_file") {
        return;
    }
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let mode = |place, mode: &str| (place, permissions(json!({ "defaultMode": mode })));
    let rows = vec![
        Row::same([mode(Managed, "dontAsk"), mode(User, "bypassPermissions")], touch(), Deny),
        Row::same([mode(Managed, "dontAsk"), mode(Project, "default")], touch(), Deny),
        Row::same([mode(Managed, "dontAsk"), mode(Local, "manual")], touch(), Deny),
        Row::same([mode(Managed, "plan"), mode(Project, "dontAsk")], super::write(&folders.work), Ask),
        Row::differs([mode(Managed, "plan"), mode(Project, "default")], touch(), Deny, Ask),
        Row::same([mode(Managed, "default"), mode(User, "bypassPermissions")], touch(), Ask),
        Row::same([mode(Managed, "bypassPermissions"), mode(User, "dontAsk")], touch(), Allow),
        Row::same([mode(Managed, "dontAsk"), mode(ManagedPart, "default")], touch(), Ask),
        Row::same([mode(Managed, "default"), mode(ManagedPart, "dontAsk")], touch(), Deny),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn switches_of_managed_settings_cannot_be_switched_off() {
    if runs_in_own_etc("switches_of_managed_settings_cannot_be_switched_off") {
        return;
    }
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let managed = |settings: Value| (Managed, permissions(settings));
    let allow = |place| (place, permissions(json!({"allow": ["Bash(touch *)"]})));
    let only = |place| (place, json!({"allowManagedPermissionRulesOnly": true}));
    let off = (User, permissions(json!({"denyInsteadOfPrompting": false})));
    let deny = permissions(json!({"deny": ["Bash(touch *)"]}));
    let ask = permissions(json!({"ask": ["Bash(touch *)"]}));
    let bypass = (User, permissions(json!({"defaultMode": "bypassPermissions"})));
    let allow_files = permissions(json!({"allow": ["Read", "Write"]}));
    let read = ("Read", json!({"file_path": folders.outside.join("file")}));
    let write = super::write(&folders.outside);
    let rows = vec![
        Row::same([managed(json!({"disableBypassPermissionsMode": "disable"})), bypass], touch(), Ask),
        Row::same([managed(json!({"denyInsteadOfPrompting": true})), off], touch(), Deny),
        Row::same([only(Managed), allow(User)], touch(), Ask),
        Row::same([only(Managed), allow(Project)], touch(), Ask).trusted(),
        Row::same([only(Managed), allow(ManagedPart)], touch(), Allow),
        Row::same([only(Project), allow(User)], touch(), Allow),
        // The CLI then ignores the deny and ask rules of other files too.
        Row::differs([only(Managed), allow(ManagedPart), (User, deny.clone())], touch(), Allow, Deny),
        Row::differs([only(Managed), allow(ManagedPart), (Project, deny)], touch(), Allow, Deny),
        Row::differs([only(Managed), allow(ManagedPart), (User, ask.clone())], touch(), Allow, Ask),
        Row::differs([only(Managed), allow(ManagedPart), (Project, ask)], touch(), Allow, Ask),
        Row::same([managed(json!({"blockReadsOutsideWorkingDirectories": true})), (User, allow_files.clone())], read, Deny),
        Row::same([managed(json!({"blockWritesOutsideWorkingDirectories": true})), (User, allow_files)], write, Deny),
    ];
    check(&setup, &folders, rows).await;
}

#[tokio::test]
async fn managed_settings_of_the_agent_are_those_of_the_policy_layer() {
    let setup = setup_or_skip!();
    let folders = Folders::new(&setup);
    let user = permissions(json!({"allow": ["Bash(touch *)"]}));
    super::write_json(&folders.file(User), &user);
    let settings = |settings: Value| -> Map<String, Value> { settings.as_object().unwrap().clone() };
    let rows = [
        (settings(permissions(json!({"deny": ["Bash(touch *)"]}))), Deny),
        (settings(permissions(json!({"ask": ["Bash(touch *)"]}))), Ask),
        (settings(json!({"allowManagedPermissionRulesOnly": true})), Ask),
        (settings(json!({})), Allow),
    ];
    for (managed, expected) in rows {
        let (tool, input) = touch();
        let rules = Rules::load(&folders.work, &folders.home).unwrap();
        let rules = rules.settings(Layer::Policy, &Value::Object(managed.clone())).unwrap();
        let agent = setup.agent().cwd(&folders.work).managed_settings(managed.clone());
        let by_cli = behavior_of_cli(&setup, agent, tool, &input).await;
        assert_eq!((by_cli, rules.resolve(tool, &input).behavior), (expected, expected), "{managed:?}");
    }
}
