//! The official conformance suite against the `everything` example, over HTTP.
//!
//! The suite reports a scenario as passed if no check failed, even if it skipped every check. So these tests read the results of
//! the checks: each scenario must have a check of its own that succeeded, and no other result, except for those in the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use interop::{Everything, Node};
use test_env::{needs, run};
use serde_json::Value;

use crate::{HANDSHAKE, STATELESS, sandbox};

/// A check that the suite adds to every scenario of the newer package: all messages match the schema.
const EVERY_SCENARIO: &str = "wire-schema-valid";

/// Scenarios whose checks the suite skips.
const SKIPPED: [&str; 4] = [
    // The server has no skills extension, so these test only `server/discover`.
    "sep-2640-skills-directory",
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
    // The suite has no check for the way in which 2026-07-28 sends these notifications.
    "tasks-status-notifications",
];

/// Checks that do not succeed and do not fail.
const EXCEPTIONS: [(&str, &str); 1] = [
    // The tool rejects the invalid answer with an error result. The suite recommends a protocol error or a new question.
    ("sep-2322-validate-input-responses", "WARNING"),
];

#[test]
fn the_suite_of_the_handshake_revisions_passes() {
    let Some(scenarios) = scenarios("conformance-handshake", &[]) else {
        return;
    };
    assert_eq!(scenarios.len(), 30, "{scenarios:?}");
    assert_passed(&scenarios, &[]);
}

#[test]
fn all_required_and_unscored_scenarios_of_2025_11_25_pass() {
    let Some(scenarios) = scenarios("conformance-stateless", &["--requirements", HANDSHAKE]) else {
        return;
    };
    assert_eq!(scenarios.len(), 33, "{scenarios:?}");
    assert_passed(&scenarios, &[]);
}

#[test]
fn all_required_and_unscored_scenarios_of_2026_07_28_pass() {
    let Some(scenarios) = scenarios("conformance-stateless", &["--requirements", STATELESS]) else {
        return;
    };
    assert_eq!(scenarios.len(), 50, "{scenarios:?}");
    assert_passed(&scenarios, &["tasks-status-notifications"]);
}

#[test]
fn all_other_scenarios_pass_or_are_known_to_be_skipped() {
    let Some(scenarios) = scenarios("conformance-stateless", &["--suite", "all"]) else {
        return;
    };
    assert!(scenarios.len() > 50, "{scenarios:?}");
    assert_passed(&scenarios, &SKIPPED);
}

/// The results of the checks of a scenario: id and status.
type Checks = Vec<(String, String)>;

/// Every scenario has a successful check of its own and no unexpected result; exactly those of `skipped` have only skipped ones.
fn assert_passed(scenarios: &BTreeMap<String, Checks>, skipped: &[&str]) {
    let mut without_success = BTreeSet::new();
    for (scenario, checks) in scenarios {
        let own: Vec<_> = checks.iter().filter(|(id, _)| id != EVERY_SCENARIO).collect();
        if !own.iter().any(|(_, status)| status == "SUCCESS") {
            without_success.insert(scenario.as_str());
            assert!(own.iter().all(|(_, status)| status == "SKIPPED"), "{scenario}: {checks:?}");
            continue;
        }
        // `INFO` describes what a check has seen.
        let expected = |(id, status): &(String, String)| {
            ["SUCCESS", "INFO"].contains(&status.as_str()) || EXCEPTIONS.contains(&(id.as_str(), status.as_str()))
        };
        assert!(checks.iter().all(expected), "{scenario}: {checks:?}");
    }
    assert_eq!(without_success, skipped.iter().copied().collect(), "scenarios without a successful check");
}

/// Runs a suite. Returns the checks of each scenario; `None` if Node is missing.
fn scenarios(package: &str, arguments: &[&str]) -> Option<BTreeMap<String, Checks>> {
    let node = needs(Node::conformance())?;
    let server = Everything::start();
    let place = sandbox(&format!("{package}{}", arguments.concat()));
    let results = place.temporary().join("results");
    let mut suite = node.program(&format!("{package}/dist/index.js"), &place);
    suite.args(["server", "--url", server.url()]).args(arguments).arg("--output-dir").arg(&results);
    let finished = run(suite, Duration::from_secs(600)).expect("the suite runs to its end");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    Some(fs::read_dir(&results).expect("the suite writes its results").map(|entry| read(&entry.unwrap().path())).collect())
}

/// Reads the results of a scenario from a folder such as `server-tools-list-2026-11-18T20-38-04-859Z`.
fn read(folder: &Path) -> (String, Checks) {
    let name = folder.file_name().and_then(|name| name.to_str()).expect("the name of a scenario");
    let name = name.strip_prefix("server-").expect("a scenario for servers");
    let (scenario, _date) = name.split_at(name.len() - "-2026-11-18T20-38-04-859Z".len());
    let checks = fs::read_to_string(folder.join("checks.json")).expect("the results of a scenario");
    let checks: Vec<Value> = serde_json::from_str(&checks).expect("a list of checks");
    let text = |check: &Value, key: &str| check[key].as_str().expect("a text").to_owned();
    (scenario.to_owned(), checks.iter().map(|check| (text(check, "id"), text(check, "status"))).collect())
}
