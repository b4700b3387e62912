//! The arguments of a tool, with the described fields inside of them: `passengers[].name`.

use serde_json::Value;

use super::properties;
use super::shape::word_of;
use super::types::resolved;

/// How deep the fields of objects are listed. Schemas may be recursive.
const MAX_DEPTH: usize = 3;
/// The maximum number of fields.
const MAX_FIELDS: usize = 200;

/// An argument, or a field inside of one.
pub(crate) struct Field<'a> {
    /// The name, such as `passengers` or `passengers[].name`.
    pub(crate) path: String,
    pub(crate) schema: &'a Value,
    pub(crate) required: bool,
}

/// Returns the arguments in declared order. After an argument come the fields inside of it that have notes: the shape of the
/// argument already shows the names and types of all.
pub(crate) fn fields(root: &Value) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    collect(root, root, "", MAX_DEPTH, &mut fields);
    fields
}

fn collect<'a>(root: &'a Value, schema: &'a Value, prefix: &str, depth: usize, fields: &mut Vec<Field<'a>>) {
    for (name, schema, required) in properties(resolved(root, schema)) {
        if fields.len() == MAX_FIELDS {
            return;
        }
        let path = format!("{prefix}{name}");
        if prefix.is_empty() || !notes(schema).is_empty() {
            fields.push(Field { path: path.clone(), schema, required });
        }
        if depth > 0 {
            let inner = without_null(root, schema);
            collect(root, inner, &format!("{path}."), depth - 1, fields);
            collect(root, &inner["items"], &format!("{path}[]."), depth - 1, fields);
        }
    }
}

/// Returns the schema of an optional value.
fn without_null<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let schema = resolved(root, schema);
    let branches = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema[keyword].as_array());
    let mut others = branches.into_iter().flatten().filter(|branch| branch["type"] != "null");
    match (others.next(), others.next()) {
        (Some(only), None) => resolved(root, only),
        _ => schema,
    }
}

/// Returns the first line of the description, the limits, and the default: `price of one seat (1 to 500, default 19.5)`.
pub(crate) fn notes(schema: &Value) -> String {
    // The list of the words of an enum is not a description of the argument.
    let mut lines = schema["description"].as_str().unwrap_or_default().lines();
    let description = lines.next().filter(|line| !line.starts_with("- `")).unwrap_or_default();
    let mut facts = limits(schema);
    facts.extend(schema.get("default").map(|default| format!("default {}", word_of(default))));
    if facts.is_empty() {
        description.to_owned()
    } else {
        format!("{description} ({})", facts.join(", ")).trim_start().to_owned()
    }
}

/// Returns the limits of a value in words. The limits of integer types, such as 0 to 255, are left out.
fn limits(schema: &Value) -> Vec<String> {
    let is_sized = schema["format"].as_str().is_some_and(|format| format.starts_with("int") || format.starts_with("uint"));
    let between = |what: &str, least: &str, most: &str| match (schema.get(least), schema.get(most)) {
        (Some(least), Some(most)) => Some(format!("{what}{least} to {most}")),
        (Some(least), None) => Some(format!("{what}at least {least}")),
        (None, Some(most)) => Some(format!("{what}at most {most}")),
        (None, None) => None,
    };
    let numbers = if is_sized { None } else { between("", "minimum", "maximum") };
    let pattern = schema["pattern"].as_str().map(|pattern| format!("matches {pattern}"));
    let lengths = [between("length ", "minLength", "maxLength"), between("length ", "minItems", "maxItems")];
    [numbers].into_iter().chain(lengths).chain([pattern]).flatten().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_inside_of_arguments_are_listed_if_they_have_notes() {
        let schema = json!({
            "properties": {
                "price": {"type": "number", "minimum": 1, "maximum": 500, "default": 19.5, "description": "of a seat\nmore"},
                "age": {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255},
                "people": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Person"}},
                "home": {"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}]},
            },
            "required": ["price"],
            "$defs": {"Person": {"properties": {
                "name": {"type": "string", "description": "in full", "maxLength": 9},
                "nick": {"type": "string"},
                "boss": {"$ref": "#/$defs/Person"},
            }}},
        });
        let listed: Vec<(String, String, bool)> =
            fields(&schema).into_iter().map(|field| (field.path, notes(field.schema), field.required)).collect();
        let listed: Vec<(&str, &str, bool)> = listed.iter().map(|(path, notes, is)| (&**path, &**notes, *is)).collect();
        assert_eq!(
            listed[..6],
            [
                ("price", "of a seat (1 to 500, default 19.5)", true),
                ("age", "", false),
                ("people", "(length at least 1)", false),
                ("people[].name", "in full (length at most 9)", false),
                ("people[].boss.name", "in full (length at most 9)", false),
                ("people[].boss.boss.name", "in full (length at most 9)", false),
            ]
        );
        assert_eq!(listed[6].0, "home");
    }
}
