//! Rewrites nullable types so that each schema has a single type.

use serde_json::{Map, Value, json};

use super::subschemas::{is_annotation, visit_all};

/// Rewrites the type `["string", "null"]` as an `anyOf` of a string and `null`.
///
/// Both mean the same, but clients that support only a single type, such as those based on OpenAPI, drop the tool or the
/// type. Most other SDKs generate `anyOf`.
pub(super) fn split(schema: &mut Value) {
    visit_all(schema, &mut |sub| {
        if let Some(choice) = sub.schema.as_object().and_then(choice) {
            *sub.schema = choice;
        }
    });
}

fn choice(schema: &Map<String, Value>) -> Option<Value> {
    let [Value::String(name), Value::String(null)] = &schema.get("type")?.as_array()?[..] else {
        return None;
    };
    // With one of these keywords the rewrite could change the meaning, so the schema is kept.
    let described_elsewhere = ["anyOf", "oneOf", "allOf", "not", "const", "$ref", "$defs"];
    if null != "null" || schema.keys().any(|keyword| described_elsewhere.contains(&keyword.as_str())) {
        return None;
    }
    let (mut beside, mut rules) = (Map::new(), Map::new());
    for (keyword, value) in schema {
        // `format` belongs to the type and not to `null`.
        let place = if is_annotation(keyword) && keyword != "format" { &mut beside } else { &mut rules };
        place.insert(keyword.clone(), value.clone());
    }
    rules.insert("type".into(), json!(name));
    if let Some(Value::Array(values)) = rules.get_mut("enum") {
        let all = values.len();
        values.retain(|value| !value.is_null());
        if values.is_empty() || values.len() == all {
            return None;
        }
    }
    beside.insert("anyOf".into(), json!([rules, {"type": "null"}]));
    Some(Value::Object(beside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_stays_with_its_type_and_a_description_with_the_whole() {
        let mut schema = json!({
            "type": "array",
            "items": {"type": ["string", "null"], "format": "date", "minLength": 1, "description": "When.", "default": "x"},
        });
        split(&mut schema);
        let string = json!({"type": "string", "format": "date", "minLength": 1});
        let items = json!({"anyOf": [string, {"type": "null"}], "description": "When.", "default": "x"});
        assert_eq!(schema, json!({"type": "array", "items": items}));
    }

    #[test]
    fn a_word_or_null_is_one_of_the_words_or_null() {
        let mut schema = json!({"type": ["string", "null"], "enum": ["a", "b", null]});
        split(&mut schema);
        assert_eq!(schema, json!({"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]}));
    }

    #[test]
    fn a_schema_whose_meaning_would_change_is_kept() {
        for same in [
            json!({"type": ["string", "integer"]}),
            json!({"type": ["string", "null"], "enum": ["a"]}),
            json!({"type": ["string", "null"], "not": {"type": "null"}}),
            json!({"properties": {"type": {"type": "string"}}, "default": {"type": ["string", "null"]}}),
        ] {
            let mut schema = same.clone();
            split(&mut schema);
            assert_eq!(schema, same);
        }
    }
}
