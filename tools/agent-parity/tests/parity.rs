//! The agent crates have what the pinned version of the official SDK has, or the table says why not.

use std::fs;

use agent_parity::{AGENT_CRATES, Comparison, Items, Table, declarations, folder, sdk};
use test_env::{needs, workspace};

fn table() -> Table {
    toml::from_str(&fs::read_to_string(folder().join("parity.toml")).unwrap()).unwrap()
}

#[test]
fn every_name_of_the_sdk_has_an_item_or_a_reason() {
    let Some(sdk) = needs(sdk()) else { return };
    let (sdk, tools) = declarations(&sdk).unwrap();
    let ours = Items::read(AGENT_CRATES.map(|folder| workspace().join(folder))).unwrap();
    let table = table();
    let differences = Comparison { sdk: &sdk, tools: &tools, table: &table, ours: &ours }.differences();
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}
