//! Decides whether every value of one schema is a value of another.

use std::collections::BTreeSet;

use serde_json::Value;

use super::resolve::{Document, Plain};
use super::{keywords, words};

/// What the schemas describe. It decides which one must include the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// The new schema must accept what the old one accepted.
    Arguments,
    /// The old schema must announce what the new one allows.
    Results,
}

/// Sentences about the changes that break clients.
pub(super) type Differences = Vec<String>;

/// Names the changes between two schemas that break clients. Empty if there are none.
pub(super) fn compare(direction: Direction, old: &Value, new: &Value) -> Differences {
    let (wide, narrow) = if direction == Direction::Arguments { (new, old) } else { (old, new) };
    let mut comparison = Comparison {
        direction,
        wide: Document(wide),
        narrow: Document(narrow),
        assumed: BTreeSet::new(),
        found: Vec::new(),
    };
    comparison.schema(wide, narrow, "");
    let mut found = comparison.found;
    found.dedup();
    found
}

/// A comparison: every value of `narrow` must be a value of `wide`.
struct Comparison<'a> {
    direction: Direction,
    wide: Document<'a>,
    narrow: Document<'a>,
    /// Pairs of schemas that are being compared. Types that contain themselves come back to them.
    assumed: BTreeSet<String>,
    found: Differences,
}

impl Comparison<'_> {
    fn schema(&mut self, wide: &Value, narrow: &Value, path: &str) {
        let pair = format!("{wide} {narrow}");
        if !self.assumed.insert(pair.clone()) {
            return;
        }
        match (self.wide.plain(wide), self.narrow.plain(narrow)) {
            (Err(reason), _) | (_, Err(reason)) => self.report(path, &format!("cannot be compared: {reason}")),
            (_, Ok(None)) => {}
            (Ok(None), Ok(Some(_))) => self.report(path, &words::values(self.direction, "any value")),
            (Ok(Some(wide)), Ok(Some(narrow))) => self.plain(&wide, &narrow, path),
        }
        // A pair is assumed only below itself. Elsewhere its differences are reported again, with their own path.
        self.assumed.remove(&pair);
    }

    fn plain(&mut self, wide: &Plain, narrow: &Plain, path: &str) {
        // A choice in the narrow schema: each branch must fit. Its other keywords are ignored, which can only find too much.
        if let Some(branches) = choice(narrow) {
            branches.iter().for_each(|branch| self.branch(wide, branch, path));
            return;
        }
        if let Some(branches) = choice(wide) {
            return self.fits_a_branch(wide, &branches, narrow, path);
        }
        for keyword in ["allOf", "oneOf"] {
            let (own, other) = (wide.get(keyword), narrow.get(keyword));
            if own != other || own.is_some_and(|rule| rule.to_string().contains("\"$ref\"")) {
                self.report(path, &format!("has a different `{keyword}`, which cannot be compared"));
            }
        }
        self.types(wide, narrow, path);
        for name in keywords::unsatisfied(wide, narrow) {
            let (old, new) = self.in_order(wide.get(name), narrow.get(name));
            self.report(path, &words::keyword(name, old, new));
        }
        self.properties(wide, narrow, path);
        self.items(wide, narrow, path);
    }

    fn branch(&mut self, wide: &Plain, branch: &Value, path: &str) {
        match self.narrow.plain(branch) {
            Err(reason) => self.report(path, &format!("cannot be compared: {reason}")),
            Ok(None) => {}
            Ok(Some(branch)) => self.plain(wide, &branch, path),
        }
    }

    /// The narrow schema must fit into one branch. If it fits into none, the differences to the most similar one are reported.
    fn fits_a_branch(&mut self, wide: &Plain, branches: &[Value], narrow: &Plain, path: &str) {
        let before = self.found.len();
        let mut best: Option<Differences> = None;
        for branch in branches {
            match self.wide.plain(branch) {
                Ok(Some(branch)) => self.plain(&branch, narrow, path),
                Ok(None) => continue,
                Err(reason) => self.report(path, &format!("cannot be compared: {reason}")),
            }
            let found = self.found.split_off(before);
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
        self.found.extend(best.unwrap_or_default());
        let rest: Plain =
            wide.iter().filter(|(name, _)| *name != "anyOf").map(|(name, rule)| (name.clone(), rule.clone())).collect();
        if !rest.is_empty() {
            self.plain(&rest, narrow, path);
        }
    }

    fn types(&mut self, wide: &Plain, narrow: &Plain, path: &str) {
        if let Some(Value::Array(allowed)) = wide.get("enum") {
            match narrow.get("enum") {
                Some(Value::Array(all)) => {
                    for word in all.iter().filter(|word| !allowed.contains(word)) {
                        self.report(path, &words::values(self.direction, &format!("`{word}`")));
                    }
                }
                _ => self.report(path, &words::values(self.direction, "all values: there is a list of values")),
            }
            return;
        }
        let Some(kind) = wide.get("type").and_then(Value::as_str) else {
            return;
        };
        let fits = |own: &str| own == kind || (own, kind) == ("integer", "number");
        let own = match (narrow.get("type").and_then(Value::as_str), narrow.get("enum")) {
            (Some(own), _) => own.to_owned(),
            (None, Some(Value::Array(values))) if values.iter().all(|value| fits(type_of(value))) => return,
            (None, Some(_)) => "values of other types".to_owned(),
            (None, None) => "values of every type".to_owned(),
        };
        if !fits(&own) {
            let (old, new) = self.in_order(kind, &own);
            self.report(path, &format!("was {old} and is {new}"));
        }
    }

    fn properties(&mut self, wide: &Plain, narrow: &Plain, path: &str) {
        if narrow.get("type").is_some_and(|kind| kind != "object") {
            return;
        }
        let required = |schema: &Plain| -> Vec<String> {
            let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            names.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let known = required(narrow);
        for name in required(wide).into_iter().filter(|name| !known.contains(name)) {
            let what = if self.direction == Direction::Arguments { "is now required" } else { "is no longer always there" };
            self.report(&inner(path, &name), what);
        }
        let of = |schema: &Plain, name: &str| schema.get("properties").and_then(|all| all.get(name)).cloned();
        let rest = |schema: &Plain| schema.get("additionalProperties").cloned().unwrap_or(Value::Bool(true));
        let names = |schema: &Plain| -> Vec<String> {
            schema.get("properties").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone()).collect()
        };
        let all: BTreeSet<String> = names(wide).into_iter().chain(names(narrow)).collect();
        for name in &all {
            let path = inner(path, name);
            match (of(wide, name), of(narrow, name)) {
                (Some(wide), Some(narrow)) => self.schema(&wide, &narrow, &path),
                // A client may read a part of the result that was optional too.
                (Some(_), None) if self.direction == Direction::Results => self.report(&path, "is gone"),
                // A new argument. Clients did not send it, even if the old schema was open.
                (Some(_), None) | (None, None) => {}
                (None, Some(_)) if self.direction == Direction::Arguments => self.report(&path, "is gone"),
                (None, Some(narrow)) => self.schema(&rest(wide), &narrow, &path),
            }
        }
        self.schema(&rest(wide), &rest(narrow), &inner(path, "*"));
    }

    fn items(&mut self, wide: &Plain, narrow: &Plain, path: &str) {
        if narrow.get("type").is_some_and(|kind| kind != "array") {
            return;
        }
        let first = |schema: &Plain| schema.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
        let (wide_first, narrow_first) = (first(wide), first(narrow));
        if wide_first.len() != narrow_first.len() {
            self.report(path, "has a different number of parts");
            return;
        }
        for (place, (wide, narrow)) in wide_first.iter().zip(&narrow_first).enumerate() {
            self.schema(wide, narrow, &format!("{path}[{place}]"));
        }
        let rest = |schema: &Plain| schema.get("items").cloned().unwrap_or(Value::Bool(true));
        self.schema(&rest(wide), &rest(narrow), &format!("{path}[]"));
    }

    fn report(&mut self, path: &str, what: &str) {
        self.found.push(format!("{} {what}", words::place(self.direction, path)));
    }

    /// Brings the values of the wide and the narrow schema into the order of time.
    fn in_order<T>(&self, wide: T, narrow: T) -> (T, T) {
        if self.direction == Direction::Arguments { (narrow, wide) } else { (wide, narrow) }
    }
}

/// Returns the branches of `anyOf`.
fn choice(schema: &Plain) -> Option<Vec<Value>> {
    schema.get("anyOf")?.as_array().cloned()
}

fn inner(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
