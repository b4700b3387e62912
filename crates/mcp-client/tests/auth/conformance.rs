//! The scenarios about authorization of the official conformance suite.

use std::path::Path;
use std::time::Duration;

use interop::{Node, Sandbox, example_of, scenario_passed};
use test_env::{needs, run};

/// The scenarios of extensions that the client does not have.
const MISSING: [&str; 4] = ["auth/enterprise-managed-authorization", "auth/dpop", "auth/dpop-nonce", "auth/wif-jwt-bearer"];

#[test]
fn every_scenario_about_authorization_passes_in_each_revision_that_it_names() {
    let Some(node) = needs(Node::conformance()) else { return };
    let client = example_of("mcp-client", "conformance");
    let (mut failed, mut passed) = (Vec::new(), 0);
    for (scenario, revision) in scenarios(&node) {
        let place = sandbox(&format!("{}-{}", scenario.replace('/', "-"), revision.as_deref().unwrap_or("extension")));
        let mut suite = node.program("conformance-stateless/dist/index.js", &place);
        suite.args(["client", "--scenario", &scenario]);
        if let Some(revision) = &revision {
            suite.args(["--spec-version", revision]);
        }
        suite.arg("--command").arg(&client);
        let finished = run(suite, Duration::from_secs(120)).expect("the suite runs to its end");
        if scenario_passed(&finished) {
            passed += 1;
        } else {
            failed.push(format!("{scenario} in {revision:?}:\n{}{}", finished.stdout, finished.stderr));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(passed, 46, "the number of scenarios in all their revisions");
}

/// The scenarios that the suite lists, once for each revision; those of extensions have none.
fn scenarios(node: &Node) -> Vec<(String, Option<String>)> {
    let place = sandbox("list");
    let mut suite = node.program("conformance-stateless/dist/index.js", &place);
    suite.arg("list");
    let listed = run(suite, Duration::from_secs(60)).expect("the suite runs to its end").stdout;
    let (_, clients) = listed.split_once("Client scenarios").expect("the suite lists them");
    let (clients, _) = clients.split_once("Authorization server scenarios").expect("the suite lists them");
    let listed = clients.lines().filter_map(|line| line.trim().strip_prefix("- ")?.strip_suffix(']')?.split_once(" ["));
    let ours = listed.filter(|(name, _)| name.starts_with("auth/") && !MISSING.contains(name));
    let each = |(name, revisions): (&str, &str)| {
        let revisions = revisions.split(',').map(|revision| Some(revision.to_owned()).filter(|name| name != "extension"));
        revisions.map(|revision| (name.to_owned(), revision)).collect::<Vec<_>>()
    };
    ours.flat_map(each).collect()
}

fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(&format!("client-authorization-{name}"), "", Path::new(""))
}
