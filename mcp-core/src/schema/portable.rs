//! Rewrites schemas without changing their meaning, so that all clients and models accept them.

use serde_json::{Map, Value, json};

use super::subschemas::{Subschema, visit_all};

/// The formats of JSON Schema 2020-12. Some clients warn about other formats or reject them.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Rewrites the parts that some clients reject, without changing the meaning.
///
/// `true` and `false` become `{}` and `{"not": {}}`, except where all clients support them. Formats that JSON Schema does not
/// define, such as `uint64`, are removed.
pub(super) fn make_portable(schema: &mut Value) {
    visit_all(schema, &mut |sub: Subschema<'_>| match sub.schema {
        Value::Bool(_) if sub.may_be_boolean => {}
        Value::Bool(true) => *sub.schema = json!({}),
        Value::Bool(false) => *sub.schema = json!({"not": {}}),
        Value::Object(schema) => retain(schema, |keyword, value| {
            keyword != "format" || value.as_str().is_some_and(|format| FORMATS.contains(&format))
        }),
        _ => {}
    });
}

/// Removes artefacts of generation, and folds a `oneOf` of constants into an `enum`.
pub(super) fn tidy(schema: &mut Value) {
    visit_all(schema, &mut |sub: Subschema<'_>| {
        let Value::Object(schema) = sub.schema else {
            return;
        };
        for keyword in ["description", "title"] {
            if let Some(Value::String(text)) = schema.get_mut(keyword) {
                trim(text);
            }
        }
        retain(schema, |keyword, value| match keyword {
            "default" => !value.is_null(),
            "description" | "title" => value.as_str().is_none_or(|text| !text.is_empty()),
            _ => true,
        });
        fold_constants(schema);
    });
}

/// Removes the entries that `keep` rejects, preserving the order.
pub(super) fn retain(schema: &mut Map<String, Value>, mut keep: impl FnMut(&str, &Value) -> bool) {
    schema.retain(|keyword, value| keep(keyword, value));
}

/// Removes trailing blanks of lines, and blank lines at both ends.
fn trim(text: &mut String) {
    let is_blank = char::is_whitespace;
    // Most texts are one line without such blanks.
    if text.starts_with(is_blank) || text.ends_with(is_blank) || text.contains('\n') {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        *text = lines.join("\n").trim().to_owned();
    }
}

/// Replaces a choice between constants by one `enum`. Their descriptions are moved into the description of the enum.
fn fold_constants(schema: &mut Map<String, Value>) {
    let Some(keyword) = ["oneOf", "anyOf"].into_iter().find(|keyword| schema.contains_key(*keyword)) else {
        return;
    };
    if ["type", "enum", "const"].iter().any(|keyword| schema.contains_key(*keyword)) {
        return;
    }
    let Some(choices) = schema[keyword].as_array().and_then(|choices| choices.iter().map(words).collect::<Option<Vec<_>>>())
    else {
        return;
    };
    let told: Vec<String> = choices.iter().flat_map(|choice| choice.describe_unexpected()).collect();
    let words: Vec<Value> = choices.into_iter().flat_map(|choice| choice.words.to_vec()).collect();
    retain(schema, |name, _| name != keyword);
    schema.insert("type".into(), json!("string"));
    schema.insert("enum".into(), Value::Array(words));
    if !told.is_empty() {
        let of_type = schema.get("description").and_then(Value::as_str).map(|text| format!("{text}\n\n"));
        schema.insert("description".into(), Value::String(of_type.unwrap_or_default() + &told.join("\n")));
    }
}

/// The constants of one branch of a choice.
struct Constants<'a> {
    words: &'a [Value],
    description: Option<&'a str>,
}

impl Constants<'_> {
    fn describe_unexpected(&self) -> impl Iterator<Item = String> {
        let description = self.description.map(|text| text.replace('\n', "\n  "));
        self.words.iter().filter_map(move |word| Some(format!("- `{}`: {}", word.as_str()?, description.as_ref()?)))
    }
}

fn words(branch: &Value) -> Option<Constants<'_>> {
    let branch = branch.as_object()?;
    let known = ["type", "const", "enum", "description"];
    if branch.get("type")? != "string" || !branch.keys().all(|keyword| known.contains(&keyword.as_str())) {
        return None;
    }
    let words = match (branch.get("const"), branch.get("enum")) {
        (Some(word), None) => std::slice::from_ref(word),
        (None, Some(Value::Array(words))) => words,
        _ => return None,
    };
    let description = branch.get("description").and_then(Value::as_str);
    words.iter().all(Value::is_string).then_some(Constants { words, description })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boolean_schemas_become_objects_except_where_all_clients_support_them() {
        let mut schema = json!({
            "properties": {"any": true, "none": false},
            "items": true,
            "additionalProperties": false,
            "anyOf": [true, {"type": "object", "additionalProperties": true}]
        });
        make_portable(&mut schema);
        let expected = json!({
            "properties": {"any": {}, "none": {"not": {}}},
            "items": {},
            "additionalProperties": false,
            "anyOf": [{}, {"type": "object", "additionalProperties": true}]
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn a_property_or_a_value_named_like_a_keyword_is_kept() {
        let same = json!({
            "properties": {"format": {"type": "string"}, "default": {"type": "string", "format": "date"}},
            "default": {"format": "uint8", "items": true},
            "enum": [true, {"format": "uint8"}]
        });
        let mut schema = same.clone();
        make_portable(&mut schema);
        tidy(&mut schema);
        assert_eq!(schema, same);
    }

    #[test]
    fn a_choice_between_constants_becomes_an_enum_that_keeps_the_descriptions() {
        let mut schema = json!({
            "description": "Order of the results.  \n",
            "oneOf": [
                {"type": "string", "enum": ["none"]},
                {"type": "string", "const": "asc", "description": "lowest\nfirst"},
            ]
        });
        tidy(&mut schema);
        let description = "Order of the results.\n\n- `asc`: lowest\n  first";
        assert_eq!(schema, json!({"type": "string", "enum": ["none", "asc"], "description": description}));
    }

    #[test]
    fn a_choice_that_is_not_only_constants_is_kept() {
        let same = json!({"oneOf": [{"type": "string", "enum": ["none"]}, {"type": "object"}]});
        let mut schema = same.clone();
        tidy(&mut schema);
        assert_eq!(schema, same);
    }
}
