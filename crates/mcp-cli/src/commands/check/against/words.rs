//! The sentences of `check --against`.

use serde_json::Value;

use super::subset::Direction;

/// Where a difference is: an argument or a part of the result.
pub(super) fn place(direction: Direction, path: &str) -> String {
    match (direction, path) {
        (Direction::Arguments, "") => "the arguments".to_owned(),
        (Direction::Results, "") => "the result".to_owned(),
        (Direction::Arguments, path) => format!("argument `{path}`"),
        (Direction::Results, path) => format!("`{path}` of the result"),
    }
}

/// Says that values are no longer accepted, or that there can be new ones in results.
pub(super) fn values(direction: Direction, what: &str) -> String {
    match direction {
        Direction::Arguments => format!("no longer accepts {what}"),
        Direction::Results => format!("can now be {what}"),
    }
}

/// Says how a keyword changed. `old` and `new` are in the order of time.
pub(super) fn keyword(name: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    match (old, new) {
        (None, Some(new)) => format!("has the new rule `{name}: {new}`"),
        (Some(old), None) => format!("no longer has the rule `{name}: {old}`"),
        (Some(old), Some(new)) => format!("has `{name}: {new}` instead of `{name}: {old}`"),
        (None, None) => format!("has a different `{name}`"),
    }
}
