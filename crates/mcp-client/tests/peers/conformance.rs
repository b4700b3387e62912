//! The client scenarios of the official conformance suite, except those about authorization.

use std::process::Command;
use std::time::Duration;

use interop::{Node, example_of};
use test_env::{needs, run};

use crate::sandbox;

/// Each scenario in each revision that it names: the suite's `list` shows them.
const SCENARIOS: [(&str, &[&str]); 11] = [
    ("initialize", &["2025-06-18", "2025-11-25"]),
    ("tools_call", &["2025-06-18", "2025-11-25", "2026-07-28"]),
    ("elicitation-sep1034-client-defaults", &["2025-11-25"]),
    ("sse-retry", &["2025-11-25"]),
    ("request-metadata", &["2026-07-28"]),
    ("sep-2322-client-request-state", &["2026-07-28"]),
    ("http-standard-headers", &["2026-07-28"]),
    ("http-custom-headers", &["2026-07-28"]),
    ("http-invalid-tool-headers", &["2026-07-28"]),
    ("json-schema-ref-no-deref", &["2026-07-28"]),
    ("json-schema-2020-12-preservation", &["2025-11-25", "2026-07-28"]),
];

#[test]
fn every_client_scenario_passes_in_each_revision_that_it_names() {
    let Some(node) = needs(Node::conformance()) else { return };
    let client = example_of("mcp-client", "conformance");
    let mut failed = Vec::new();
    for (scenario, revisions) in SCENARIOS {
        for revision in revisions {
            let place = sandbox(&format!("conformance-{scenario}-{revision}"));
            let mut suite = node.program("conformance-stateless/dist/index.js", &place);
            suite.args(["client", "--scenario", scenario, "--spec-version", revision, "--command"]).arg(&client);
            let finished = run(suite, Duration::from_secs(120)).expect("the suite runs to its end");
            // Without the last line the suite has skipped the scenario, for example because its name has changed.
            if !finished.status.success() || !finished.stderr.contains("OVERALL: PASSED") {
                failed.push(format!("{scenario} in {revision}:\n{}{}", finished.stdout, finished.stderr));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_table_has_every_scenario_of_the_suite() {
    let Some(node) = needs(Node::conformance()) else { return };
    let place = sandbox("conformance-list");
    let mut suite: Command = node.program("conformance-stateless/dist/index.js", &place);
    suite.arg("list");
    let finished = run(suite, Duration::from_secs(60)).expect("the suite runs to its end");
    let (_, clients) = finished.stdout.split_once("Client scenarios").expect("the suite lists them");
    let (clients, _) = clients.split_once("Authorization server scenarios").expect("the suite lists them");
    let listed = clients.lines().filter_map(|line| line.trim().strip_prefix("- ")?.strip_suffix(']')?.split_once(" ["));
    let listed = listed.filter(|(name, revisions)| !name.starts_with("auth/") && *revisions != "extension");
    let ours = SCENARIOS.map(|(name, revisions)| (name, revisions.join(",")));
    assert_eq!(
        listed.collect::<Vec<_>>(),
        ours.iter().map(|(name, revisions)| (*name, revisions.as_str())).collect::<Vec<_>>()
    );
}
