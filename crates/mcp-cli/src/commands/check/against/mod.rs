//! `calc check --against released.json`: names the changes that break clients of a released version.
//!
//! A change of arguments breaks clients if some call that the released tool accepted is now rejected. A change of results breaks
//! them if there can be a result that the released schema did not announce. What cannot be decided counts as breaking.

mod keywords;
mod resolve;
mod subset;
mod words;

use serde_json::Value;

use super::Findings;
use subset::{Differences, Direction, compare};

/// Reads a list of tools: the output of `tools --json`, which is the result of `tools/list`, or the list in it.
pub(super) fn parse(text: &str) -> Result<Vec<Value>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("is not valid JSON: {error}"))?;
    let tools = match &value {
        Value::Array(tools) => tools,
        other => match other["tools"].as_array().or_else(|| other["result"]["tools"].as_array()) {
            Some(tools) => tools,
            None => return Err("has no list `tools`: save the output of `tools --json`".to_owned()),
        },
    };
    match tools.iter().find(|tool| !tool["name"].is_string() || !tool["inputSchema"].is_object()) {
        Some(tool) => Err(format!("has a tool without a name or an input schema: {tool}")),
        None => Ok(tools.clone()),
    }
}

/// Compares the tools of this server with those of a released version.
pub(super) fn tools(released: &[Value], current: &[Value], findings: &mut Findings) {
    for old in released {
        let name = old["name"].as_str().unwrap_or_default();
        let subject = format!("tool `{name}`");
        match current.iter().find(|tool| tool["name"] == name) {
            Some(new) => tool(&subject, old, new, findings),
            None => findings.error(&subject, "breaking: it is gone"),
        }
    }
}

fn tool(subject: &str, old: &Value, new: &Value, findings: &mut Findings) {
    let mut breaking = |differences: Differences| {
        for difference in differences {
            findings.error(subject, format!("breaking: {difference}"));
        }
    };
    breaking(compare(Direction::Arguments, &old["inputSchema"], &new["inputSchema"]));
    match (old.get("outputSchema"), new.get("outputSchema")) {
        (Some(old), Some(new)) => breaking(compare(Direction::Results, old, new)),
        (Some(_), None) => breaking(vec!["the result is no longer structured".to_owned()]),
        (None, _) => {}
    }
    breaking(execution(old, new));
    for (hint, released, now) in [("readOnlyHint", true, false), ("destructiveHint", false, true)] {
        let (before, after) = (hint_of(old, hint), hint_of(new, hint));
        if before == released && after == now {
            findings.warning(subject, format!("`{hint}` was {before} and is {after}: clients may ask for permission again"));
        }
    }
}

/// Returns a hint, or its default in the protocol.
fn hint_of(tool: &Value, hint: &str) -> bool {
    tool["annotations"][hint].as_bool().unwrap_or(hint == "destructiveHint" && !hint_of_read_only(tool))
}

fn hint_of_read_only(tool: &Value) -> bool {
    tool["annotations"]["readOnlyHint"] == true
}

/// A call as a task must stay possible, and a call without one too.
fn execution(old: &Value, new: &Value) -> Differences {
    let support = |tool: &Value| tool["execution"]["taskSupport"].as_str().unwrap_or("forbidden").to_owned();
    let (before, after) = (support(old), support(new));
    let is_fine = before == after || after == "optional";
    if is_fine { Vec::new() } else { vec![format!("calls as tasks were {before} and are {after}")] }
}

#[cfg(test)]
mod tests;
