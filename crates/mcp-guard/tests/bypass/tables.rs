//! The tables of attempts, their sets of rules, and the files that they refer to. The tests of `mcp-agent-test`, which run every
//! row through the real CLI, include this file too.

use std::fs;
use std::io;
use std::path::Path;

use mcp_guard::{Behavior, Layer, Rules};
use serde::Deserialize;
use serde_json::Value;

/// A row of a table: a tool use and what happens to it.
#[derive(Clone, Deserialize)]
pub(crate) struct Row {
    pub(crate) rules: String,
    pub(crate) tool: String,
    pub(crate) input: Value,
    pub(crate) expected: String,
    #[allow(dead_code, reason = "only the tests of mcp-guard run on Windows")]
    pub(crate) on_windows: Option<String>,
}

/// A set of rules of `rule_sets.json`.
#[derive(Deserialize)]
pub(crate) struct RuleSet {
    pub(crate) name: String,
    mode: String,
    rules: Vec<RuleOfLayer>,
}

#[derive(Deserialize)]
struct RuleOfLayer {
    behavior: String,
    layer: String,
    rule: String,
}

/// An entry of `project.json`. Paths and targets of links are relative to the working directory.
#[derive(Deserialize)]
struct Entry {
    path: String,
    kind: String,
    target: Option<String>,
}

/// The tables, with the names of their files.
pub(crate) const TABLES: &[(&str, &str)] = &[
    ("allowed_commands", include_str!("allowed_commands.json")),
    ("allowed_paths", include_str!("allowed_paths.json")),
    ("commands_with_files", include_str!("commands_with_files.json")),
    ("denied_commands", include_str!("denied_commands.json")),
    ("denied_paths", include_str!("denied_paths.json")),
    ("other_programs", include_str!("other_programs.json")),
    ("similar_commands", include_str!("similar_commands.json")),
    ("tools", include_str!("tools.json")),
    ("unclear_commands", include_str!("unclear_commands.json")),
    ("unexpected_input", include_str!("unexpected_input.json")),
    ("wrapped_commands", include_str!("wrapped_commands.json")),
];

/// Returns the rows of a table.
pub(crate) fn rows(table: &str) -> Vec<Row> {
    let (name, text) = TABLES.iter().find(|(name, _)| *name == table).expect("the table exists");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn rule_sets() -> Vec<RuleSet> {
    serde_json::from_str(include_str!("rule_sets.json")).expect("sets of rules")
}

impl RuleSet {
    pub(crate) fn build(&self, work: &Path, home: &Path) -> Rules {
        let rules = Rules::new(work).home(home).mode(self.mode.as_str().into());
        self.rules.iter().fold(rules, |rules, of| {
            let layer = match of.layer.as_str() {
                "session" => Layer::Session,
                "local" => Layer::Local,
                "project" => Layer::Project,
                "user" => Layer::User,
                "policy" => Layer::Policy,
                other => panic!("no such layer: {other}"),
            };
            rules.with(layer, behavior(&of.behavior), &of.rule).expect("a valid rule")
        })
    }
}

pub(crate) fn behavior(name: &str) -> Behavior {
    match name {
        "allow" => Behavior::Allow,
        "ask" => Behavior::Ask,
        "deny" => Behavior::Deny,
        other => panic!("no such decision: {other}"),
    }
}

/// Creates the entries of `project.json` in a working directory. A file outside of `src` has this content. Returns the links that could
/// not be created: on Windows this needs a right that not every user has.
pub(crate) fn create_entries(work: &Path, secret: &str) -> Vec<String> {
    let mut missing_links = Vec::new();
    let entries: Vec<Entry> = serde_json::from_str(include_str!("project.json")).expect("the entries");
    for entry in entries {
        let path = work.join(&entry.path);
        match (entry.kind.as_str(), entry.target) {
            ("directory", _) => fs::create_dir_all(path),
            ("file", _) => fs::write(path, if entry.path.starts_with("src") { "x" } else { secret }),
            ("link", Some(target)) => link(&work.join(target), &path).or_else(|error| {
                missing_links.push(entry.path);
                if cfg!(windows) { Ok(()) } else { Err(error) }
            }),
            (kind, _) => panic!("no such kind of entry: {kind}"),
        }
        .expect("the folder is writable");
    }
    missing_links
}

/// Replaces `${work}` and `${home}` in every text of an input.
pub(crate) fn fill_in(input: &Value, work: &Path, home: &Path) -> Value {
    match input {
        Value::String(text) => {
            let text = text.replace("${work}", &work.to_string_lossy());
            Value::String(text.replace("${home}", &home.to_string_lossy()))
        }
        Value::Array(items) => items.iter().map(|item| fill_in(item, work, home)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), fill_in(value, work, home)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(windows)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    use std::os::windows::fs::{symlink_dir, symlink_file};
    if target.is_dir() { symlink_dir(target, path) } else { symlink_file(target, path) }?;
    // Wine reports success and creates nothing.
    path.symlink_metadata().map(drop)
}
