//! Follows references in a schema, and brings equivalent forms of schemas into one.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Keywords that do not restrict values.
const ANNOTATIONS: [&str; 12] = [
    "$comment",
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// A schema, and the document that its references point into.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document<'a>(pub(super) &'a Value);

/// A schema without annotations and references at its root.
pub(super) type Plain = BTreeMap<String, Value>;

impl Document<'_> {
    /// Returns the keywords of a schema. `None` for a schema that allows nothing, `Err` if it cannot be understood.
    pub(super) fn plain(self, schema: &Value) -> Result<Option<Plain>, String> {
        let mut schema = schema.clone();
        // A chain of references without an end is invalid.
        for _ in 0..64 {
            let members = match &schema {
                Value::Bool(true) => return Ok(Some(Plain::new())),
                Value::Bool(false) => return Ok(None),
                Value::Object(members) => members,
                other => return Err(format!("`{other}` is not a schema")),
            };
            let members = without_annotations(members);
            schema = match single(&members) {
                Some(("$ref", target)) => self.target(target)?,
                Some(("allOf" | "anyOf" | "oneOf", Value::Array(all))) if all.len() == 1 => all[0].clone(),
                _ if members.contains_key("$ref") => return Err("it has keywords beside `$ref`".to_owned()),
                _ => return Ok(Some(normalized(members))),
            };
        }
        Err("its references have no end".to_owned())
    }

    fn target(self, target: &Value) -> Result<Value, String> {
        let pointer = target.as_str().and_then(|target| target.strip_prefix('#'));
        let found = pointer.and_then(|pointer| self.0.pointer(pointer));
        found.cloned().ok_or_else(|| format!("the reference {target} points nowhere"))
    }
}

fn without_annotations(members: &Map<String, Value>) -> Plain {
    let kept = members.iter().filter(|(name, _)| !ANNOTATIONS.contains(&name.as_str()) && !name.starts_with("x-"));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn single(members: &Plain) -> Option<(&str, &Value)> {
    let mut all = members.iter();
    let (name, value) = all.next()?;
    all.next().is_none().then_some((name.as_str(), value))
}

/// Writes `const` and a choice of constants as `enum`, several types as a choice, and drops a `type` that `enum` already implies.
fn normalized(mut members: Plain) -> Plain {
    if let Some(value) = members.remove("const") {
        members.insert("enum".to_owned(), json!([value]));
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(words) = members.get(choice).and_then(constants)
            && !members.contains_key("enum")
        {
            members.remove(choice);
            members.insert("enum".to_owned(), Value::Array(words));
        }
    }
    if let Some(Value::Array(types)) = members.get("type").cloned()
        && !members.contains_key("anyOf")
    {
        members.remove("type");
        let branch = |kind: &Value| {
            let mut branch: Map<String, Value> = members.clone().into_iter().collect();
            branch.insert("type".to_owned(), kind.clone());
            Value::Object(branch)
        };
        return Plain::from([("anyOf".to_owned(), types.iter().map(branch).collect())]);
    }
    members
}

/// Returns the values of a choice in which every branch is a constant or an enum. They must differ, because exactly one branch of
/// `oneOf` may match.
fn constants(choice: &Value) -> Option<Vec<Value>> {
    let mut words: Vec<Value> = Vec::new();
    for branch in choice.as_array()? {
        let members = without_annotations(branch.as_object()?);
        let new = match (members.get("const"), members.get("enum")) {
            (Some(value), None) => vec![value.clone()],
            (None, Some(Value::Array(values))) => values.clone(),
            _ => return None,
        };
        if members.keys().any(|name| !matches!(name.as_str(), "const" | "enum" | "type"))
            || new.iter().any(|word| words.contains(word))
        {
            return None;
        }
        words.extend(new);
    }
    Some(words)
}
