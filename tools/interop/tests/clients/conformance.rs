//! The official conformance suite against the `everything` example, over HTTP.

use std::collections::BTreeMap;
use std::time::Duration;

use interop::{Everything, Node};
use test_env::{needs, run};

use crate::{HANDSHAKE, STATELESS, sandbox};

#[test]
fn the_conformance_suite_for_handshake_revisions_passes() {
    let Some(results) = results("conformance-handshake", None) else {
        return;
    };
    assert_eq!(results.len(), 30, "{results:?}");
    assert_eq!(failed(&results), Vec::<&str>::new());
}

#[test]
fn every_scenario_of_2025_11_25_passes() {
    let Some(results) = results("conformance-stateless", Some(HANDSHAKE)) else {
        return;
    };
    assert_eq!(results.len(), 33, "{results:?}");
    assert_eq!(failed(&results), Vec::<&str>::new());
    assert!(results["server-session-lifecycle"] && results["server-sse-polling"]);
}

#[test]
fn every_scenario_of_2026_07_28_passes() {
    let Some(results) = results("conformance-stateless", Some(STATELESS)) else {
        return;
    };
    assert_eq!(results.len(), 50, "{results:?}");
    assert_eq!(failed(&results), Vec::<&str>::new());
    assert!(results["server-stateless"] && results["http-header-validation"]);
    assert!(results["http-custom-header-server-validation"]);
}

/// Each scenario, and whether all of its checks passed. The suite itself fails only if a scenario that is scored fails.
fn results(package: &str, requirements: Option<&str>) -> Option<BTreeMap<String, bool>> {
    let node = needs(Node::conformance())?;
    let server = Everything::start();
    let sandbox = sandbox(&format!("{package}-{}", requirements.unwrap_or("all")));
    let mut suite = node.program(&format!("{package}/dist/index.js"), &sandbox);
    suite.args(["server", "--url", server.url()]);
    if let Some(revision) = requirements {
        suite.args(["--requirements", revision]);
    }
    let finished = run(suite, Duration::from_secs(600)).expect("the suite finishes");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    let (_, summary) = finished.stdout.split_once("=== SUMMARY ===").expect("the suite prints a summary");
    let lines = summary.lines().take_while(|line| !line.starts_with("Total:")).filter_map(|line| line.split_once(' '));
    let results = lines.filter(|(mark, _)| ["✓", "✗"].contains(mark));
    Some(results.map(|(mark, rest)| (rest.split(':').next().unwrap_or_default().to_owned(), mark == "✓")).collect())
}

fn failed(results: &BTreeMap<String, bool>) -> Vec<&str> {
    let failed = results.iter().filter(|(_, passed)| !**passed).map(|(name, _)| name.as_str());
    failed.collect()
}
