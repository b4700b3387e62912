//! A CLI that runs as another user. Only root can start one.

use std::process::Command;

use mcp_agent::{Agent, Error, StartError};
use serde_json::{Map, json};
use test_env::{Missing, needs};

use crate::test_setup::within;

/// Prints the user, the groups, and the file with the settings, to standard error.
const SCRIPT: &str =
    "id -u >&2; id -G >&2; for argument; do case $argument in --settings=*) cat \"${argument#*=}\" >&2;; esac; done";

fn as_root() -> Result<(), Missing> {
    let is_root = rustix::process::geteuid().is_root();
    is_root.then_some(()).ok_or_else(|| Missing::new("other user", "only root can start a program as another user"))
}

fn id_of_nobody(flag: &str) -> String {
    let output = Command::new("id").args([flag, "nobody"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[tokio::test]
async fn the_cli_runs_as_the_other_user_in_no_other_group_and_can_read_its_files() {
    if needs(as_root()).is_none() {
        return;
    }
    let settings: Map<_, _> = [("language".to_owned(), json!("french"))].into_iter().collect();
    let agent =
        Agent::new().program("/bin/sh").leading_args(["-c", SCRIPT, "sh"]).cwd("/").settings(settings).user("nobody");
    let Err(Error::Ended(ended)) = within(agent.open()).await else { panic!("the program is no CLI") };
    let expected = format!("{}\n{}\n{}", id_of_nobody("-u"), id_of_nobody("-g"), json!({"language": "french"}));
    assert_eq!(ended.ending.stderr.trim(), expected);
}

#[tokio::test]
async fn an_unknown_user_is_an_error_with_the_name() {
    let error = within(Agent::new().program("/bin/sh").user("no-such-user").open()).await.expect_err("no such user");
    let Error::Start(fault) = error else { panic!("{error:?}") };
    let StartError::Spawn { source, .. } = &*fault else { panic!("{fault:?}") };
    assert!(source.to_string().contains("no-such-user"), "{source}");
}
