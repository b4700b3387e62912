//! The official conformance suite against the `everything` example, over HTTP.

use std::collections::BTreeMap;
use std::time::Duration;

use interop::{Everything, Node, needs, run};

use crate::{HANDSHAKE, STATELESS, sandbox};

#[test]
fn the_suite_of_the_handshake_era_passes() {
    let Some(verdicts) = verdicts("conformance-handshake", None) else {
        return;
    };
    assert_eq!(verdicts.len(), 30, "{verdicts:?}");
    assert_eq!(failed(&verdicts), Vec::<&str>::new());
}

#[test]
fn all_that_2025_11_25_requires_passes_and_what_is_not_scored_too() {
    let Some(verdicts) = verdicts("conformance-stateless", Some(HANDSHAKE)) else {
        return;
    };
    assert_eq!(verdicts.len(), 33, "{verdicts:?}");
    assert_eq!(failed(&verdicts), Vec::<&str>::new());
    assert!(verdicts["server-session-lifecycle"] && verdicts["server-sse-polling"]);
}

#[test]
fn all_that_2026_07_28_requires_passes_and_what_is_not_scored_too() {
    let Some(verdicts) = verdicts("conformance-stateless", Some(STATELESS)) else {
        return;
    };
    assert_eq!(verdicts.len(), 50, "{verdicts:?}");
    assert_eq!(failed(&verdicts), Vec::<&str>::new());
    assert!(verdicts["server-stateless"] && verdicts["http-header-validation"]);
    assert!(verdicts["http-custom-header-server-validation"]);
}

/// Each scenario, and whether all of its checks passed. The suite itself says no when one that is scored fails.
fn verdicts(package: &str, requirements: Option<&str>) -> Option<BTreeMap<String, bool>> {
    let node = needs(Node::conformance())?;
    let server = Everything::start();
    let place = sandbox(&format!("{package}-{}", requirements.unwrap_or("all")));
    let mut suite = node.program(&format!("{package}/dist/index.js"), &place);
    suite.args(["server", "--url", server.url()]);
    if let Some(revision) = requirements {
        suite.args(["--requirements", revision]);
    }
    let finished = run(suite, Duration::from_secs(600)).expect("the suite runs to its end");
    assert!(finished.status.success(), "{}{}", finished.stdout, finished.stderr);
    let (_, summary) = finished.stdout.split_once("=== SUMMARY ===").expect("the suite sums up");
    let lines = summary.lines().take_while(|line| !line.starts_with("Total:")).filter_map(|line| line.split_once(' '));
    let verdicts = lines.filter(|(mark, _)| ["✓", "✗"].contains(mark));
    Some(verdicts.map(|(mark, rest)| (rest.split(':').next().unwrap_or_default().to_owned(), mark == "✓")).collect())
}

fn failed(verdicts: &BTreeMap<String, bool>) -> Vec<&str> {
    let failed = verdicts.iter().filter(|(_, passed)| !**passed).map(|(name, _)| name.as_str());
    failed.collect()
}
