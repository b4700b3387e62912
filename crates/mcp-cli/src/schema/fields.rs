//! The arguments of a tool, with the described fields inside of them: `passengers[].name`.

use serde_json::Value;

use super::properties;
use super::shape::word_of;
use super::types::resolved;

/// How deep the fields of objects are listed.
const MAX_DEPTH: usize = 6;
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
    collect(root, root, "", &mut Vec::new(), &mut fields);
    fields
}

/// Adds the fields of an object. `outer` has the schemas that the object is inside of: a type that contains itself is listed once.
fn collect<'a>(root: &'a Value, schema: &'a Value, prefix: &str, outer: &mut Vec<&'a Value>, fields: &mut Vec<Field<'a>>) {
    let object = resolved(root, schema);
    if outer.len() == MAX_DEPTH || outer.iter().any(|one| std::ptr::eq(*one, object)) {
        return;
    }
    outer.push(object);
    for (name, schema, required) in properties(object) {
        if fields.len() == MAX_FIELDS {
            break;
        }
        let path = format!("{prefix}{name}");
        if prefix.is_empty() || !notes(schema).is_empty() {
            fields.push(Field { path: path.clone(), schema, required });
        }
        let inner = without_null(root, schema);
        collect(root, inner, &format!("{path}."), outer, fields);
        collect(root, &inner["items"], &format!("{path}[]."), outer, fields);
    }
    outer.pop();
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

/// The limits of integer types: they say nothing about the argument.
const INTEGER_TYPES: [(i64, Option<i64>); 7] = [
    (0, None),
    (0, Some(u8::MAX as i64)),
    (0, Some(u16::MAX as i64)),
    (0, Some(u32::MAX as i64)),
    (i8::MIN as i64, Some(i8::MAX as i64)),
    (i16::MIN as i64, Some(i16::MAX as i64)),
    (i32::MIN as i64, Some(i32::MAX as i64)),
];

/// Returns the limits of a value in words. Those of integer types, such as 0 to 255, are left out.
fn limits(schema: &Value) -> Vec<String> {
    let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
    let is_sized = least.is_some_and(|least| INTEGER_TYPES.contains(&(least, most)));
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
    fn described_fields_inside_of_arguments_are_listed_and_a_type_that_contains_itself_once() {
        let schema = json!({
            "properties": {
                "price": {"type": "number", "minimum": 1, "maximum": 500, "default": 19.5, "description": "of a seat\nmore"},
                "age": {"type": "integer", "minimum": 0, "maximum": 255},
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
            listed,
            [
                ("price", "of a seat (1 to 500, default 19.5)", true),
                ("age", "", false),
                ("people", "(length at least 1)", false),
                ("people[].name", "in full (length at most 9)", false),
                ("home", "", false),
                ("home.name", "in full (length at most 9)", false),
            ]
        );
    }
}
