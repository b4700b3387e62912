//! The tables of attempts, their sets of rules, and the files that they refer to.

use mcp_agent::PermissionMode;
use serde::Deserialize;
use serde_json::Value;

/// A row of a table: a tool use and what happens to it.
#[derive(Clone, Deserialize)]
pub(crate) struct Row {
    pub(crate) rules: String,
    pub(crate) tool: String,
    pub(crate) input: Value,
    pub(crate) expected: String,
}

#[derive(Deserialize)]
pub(crate) struct RuleSet {
    pub(crate) name: String,
    pub(crate) mode: PermissionMode,
    pub(crate) rules: Vec<RuleOfLayer>,
}

#[derive(Deserialize)]
pub(crate) struct RuleOfLayer {
    pub(crate) behavior: String,
    pub(crate) layer: String,
    pub(crate) rule: String,
}

#[derive(Deserialize)]
pub(crate) struct Entry {
    pub(crate) path: String,
    pub(crate) kind: String,
    pub(crate) target: Option<String>,
}

macro_rules! table {
    ($file:literal) => {
        serde_json::from_str(include_str!(concat!("../../../../mcp-guard/tests/bypass/", $file))).expect($file)
    };
}

pub(crate) fn all_rows() -> Vec<Row> {
    let tables: [Vec<Row>; 10] = [
        table!("allowed_commands.json"),
        table!("allowed_paths.json"),
        table!("commands_with_files.json"),
        table!("denied_commands.json"),
        table!("denied_paths.json"),
        table!("other_programs.json"),
        table!("similar_commands.json"),
        table!("tools.json"),
        table!("unclear_commands.json"),
        table!("unexpected_input.json"),
    ];
    tables.concat()
}

pub(crate) fn rule_sets() -> Vec<RuleSet> {
    table!("rule_sets.json")
}

pub(crate) fn entries() -> Vec<Entry> {
    table!("project.json")
}
