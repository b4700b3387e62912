//! The client scenarios of the official conformance suite, except those about authorization.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use interop::{Node, example_of, scenario_passed};
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

/// Each scenario of an extension, and whether the client passes it. Those about authorization are run by the tests of authorization.
const EXTENSIONS: [(&str, bool); 10] = [
    ("auth/client-credentials-jwt", true),
    ("auth/client-credentials-basic", true),
    ("auth/enterprise-managed-authorization", false),
    ("auth/dpop", false),
    ("auth/dpop-nonce", false),
    ("auth/wif-jwt-bearer", false),
    ("sep-2640-client-no-prefetch", false),
    ("sep-2640-client-verify-digest", false),
    ("sep-2640-client-verify-size", false),
    ("sep-2640-client-verify-frontmatter", false),
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
            if !scenario_passed(&finished) {
                failed.push(format!("{scenario} in {revision}:\n{}{}", finished.stdout, finished.stderr));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_tables_have_every_scenario_of_the_suite() {
    let Some(node) = needs(Node::conformance()) else { return };
    let place = sandbox("conformance-list");
    let mut suite: Command = node.program("conformance-stateless/dist/index.js", &place);
    suite.arg("list");
    let finished = run(suite, Duration::from_secs(60)).expect("the suite runs to its end");
    let (_, clients) = finished.stdout.split_once("Client scenarios").expect("the suite lists them");
    let (clients, _) = clients.split_once("Authorization server scenarios").expect("the suite lists them");
    let listed = clients.lines().filter_map(|line| line.trim().strip_prefix("- ")?.strip_suffix(']')?.split_once(" ["));
    let (extensions, others): (Vec<_>, Vec<_>) = listed.partition(|(_, revisions)| *revisions == "extension");
    let (authorization, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(name, _)| name.starts_with("auth/"));
    let ours = SCENARIOS.map(|(name, revisions)| (name, revisions.join(",")));
    assert_eq!(others, ours.iter().map(|(name, revisions)| (*name, revisions.as_str())).collect::<Vec<_>>());
    assert_eq!(extensions.into_iter().map(|(name, _)| name).collect::<Vec<_>>(), EXTENSIONS.map(|(name, _)| name));
    assert_eq!(SCENARIOS.len() + authorization.len() + EXTENSIONS.len(), 48, "the number in docs/client.md");
}

#[test]
fn the_page_says_of_each_scenario_of_an_extension_whether_it_passes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/client.md");
    let page = std::fs::read_to_string(page).expect("the page about the client");
    let (_, section) = page.split_once("\n## Conformance\n").expect("a section about conformance");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let said = rows.flat_map(|row| {
        let passes = row.trim_end().ends_with("| yes |");
        assert!(passes || row.trim_end().ends_with("| no |"), "{row}");
        row.split('`').skip(1).step_by(2).map(move |name| (name, passes))
    });
    assert_eq!(said.collect::<Vec<_>>(), EXTENSIONS);
}
