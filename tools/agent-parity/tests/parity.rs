//! The agent crates have what the pinned version of the official SDK has, or the table says why not.

use std::fs;

use agent_parity::{
    AGENT_CRATES, Comparison, Items, PAGE, Table, declarations, in_sources, page, pinned, python_names, python_sdk, sdk,
};
use mcp_agent_test::Cli;
use test_env::{needs, workspace};

#[test]
fn every_name_of_the_sdk_has_an_item_or_a_reason() {
    let Some(sdk) = needs(sdk()) else { return };
    let Some(python) = needs(python_sdk()) else { return };
    let (sdk, tools) = declarations(&sdk).unwrap();
    let python = python_names(&python).unwrap();
    let ours = Items::read(AGENT_CRATES.map(|folder| workspace().join(folder))).unwrap();
    let table = Table::read().unwrap();
    let differences = Comparison { sdk: &sdk, tools: &tools, python: &python, table: &table, ours: &ours }.differences();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn a_name_that_is_new_in_the_sdk_is_a_difference() {
    let Some(sdk) = needs(sdk()) else { return };
    let Some(python) = needs(python_sdk()) else { return };
    let (_, tools) = declarations(&sdk).unwrap();
    let mut python = python_names(&python).unwrap();
    python.insert("ClaudeAgentOptions.brand_new".to_owned());
    let source = fs::read_to_string(sdk.join("sdk.d.ts")).unwrap();
    let newer = source.replace("    maxTurns?: number;", "    maxTurns?: number;\n    brandNew?: boolean;");
    let newer = agent_parity::Declarations::read(&format!("{newer}\nexport declare function brandNewFunction(): void;\n"));
    let ours = Items::read(AGENT_CRATES.map(|folder| workspace().join(folder))).unwrap();
    let table = Table::read().unwrap();
    let differences = Comparison { sdk: &newer, tools: &tools, python: &python, table: &table, ours: &ours }.differences();
    for expected in [
        "functions: the SDK has brandNewFunction, the table does not",
        "options: the SDK has brandNew, the table does not",
        "python: the SDK has ClaudeAgentOptions.brand_new, the table does not",
    ] {
        assert!(differences.iter().any(|difference| difference == expected), "{expected}: {differences:?}");
    }
}

#[test]
fn the_page_is_generated_from_the_table() {
    let text = fs::read_to_string(workspace().join(PAGE)).unwrap();
    let is_generated = text == page(&Table::read().unwrap());
    assert!(is_generated, "run `cargo run -p agent-parity -- page`");
}

#[test]
fn the_pinned_versions_belong_together() {
    let [cli, for_tests, for_benchmarks] = pinned().unwrap();
    assert_eq!(cli, Cli::VERSION);
    assert_eq!(for_tests, for_benchmarks);
    assert_eq!(cli.rsplit('.').next(), for_tests.rsplit('.').next());
    for (path, version) in in_sources().unwrap() {
        assert!(
            version == cli || version == for_tests,
            "{path} has version {version}: the pinned ones are {cli} and {for_tests}"
        );
    }
}
