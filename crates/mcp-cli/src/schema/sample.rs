//! Sample values for the examples in `call TOOL --help`.

use mcp_core::schema::OutputSchema;
use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};

use super::properties;
use super::types::{choices, resolved};

/// How deep nested values are built. Schemas may be recursive.
const MAX_DEPTH: usize = 6;
/// The largest number of characters or items that a sample is extended to.
const MAX_LENGTH: u64 = 64;

/// Returns arguments for a tool: all required ones, and the first optional one if none is required.
///
/// # Errors
/// The names of the arguments for which no valid value was found. A value for a pattern is not invented: it must be one of the
/// `examples` of the author. The list is empty if the arguments break a rule about several of them.
pub(crate) fn arguments(schema: &Value) -> Result<Map<String, Value>, Vec<String>> {
    let all = properties(schema);
    let has_required = all.iter().any(|(.., required)| *required);
    let wanted = all.into_iter().filter(|(.., required)| *required || !has_required);
    let wanted = wanted.take(if has_required { usize::MAX } else { 1 });
    let sample: Map<String, Value> =
        wanted.map(|(name, property, _)| (name.to_owned(), value(schema, property, MAX_DEPTH))).collect();
    if is_valid(schema.clone(), &json!(sample)) {
        return Ok(sample);
    }
    let breaks_its_rules = |(name, value): &(&String, &Value)| !is_valid(alone(schema, &schema["properties"][*name]), value);
    Err(sample.iter().filter(breaks_its_rules).map(|(name, _)| name.clone()).collect())
}

/// Returns the schema of one argument, with the definitions that it may refer to.
fn alone(root: &Value, property: &Value) -> Value {
    let mut schema = json!({"allOf": [property]});
    for key in ["$defs", "definitions"] {
        if let Some(definitions) = root.get(key) {
            schema[key] = definitions.clone();
        }
    }
    schema
}

fn is_valid(schema: Value, sample: &Value) -> bool {
    to_raw_value(sample).is_ok_and(|sample| OutputSchema::from_json(schema).check(&sample).is_ok())
}

fn value(root: &Value, schema: &Value, depth: usize) -> Value {
    let own = schema;
    let schema = resolved(root, schema);
    if depth == 0 {
        return Value::Null;
    }
    // What the author wrote comes first.
    for schema in [own, schema] {
        let written = schema["examples"].get(0).or_else(|| schema.get("default"));
        if let Some(written) = written {
            return written.clone();
        }
    }
    if let Some(word) = choices(root, schema).into_iter().find(|word| !word.is_null()) {
        return word;
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = schema[keyword].as_array().into_iter().flatten();
        if let Some(branch) = branches.into_iter().find(|branch| branch["type"] != "null") {
            return value(root, branch, depth);
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        kind => kind.as_str(),
    };
    match kind {
        Some("integer" | "number") => number(schema),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        Some("array") => list(root, schema, depth),
        Some("object") => object(root, schema, depth),
        Some("string") | None => text(schema),
        Some(_) => Value::Null,
    }
}

fn number(schema: &Value) -> Value {
    let bound = |keyword: &str| schema[keyword].as_f64();
    let least = bound("minimum").or_else(|| bound("exclusiveMinimum").map(|least| least + 1.0));
    let most = bound("maximum").or_else(|| bound("exclusiveMaximum").map(|most| most - 1.0));
    let mut number = 1.0_f64.max(least.unwrap_or(1.0)).min(most.unwrap_or(f64::MAX));
    if let Some(step) = bound("multipleOf").filter(|step| *step > 0.0) {
        number = (number / step).ceil() * step;
    }
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

fn text(schema: &Value) -> Value {
    if let Some(sample) = schema["format"].as_str().and_then(of_format) {
        return json!(sample);
    }
    let (least, most) = (schema["minLength"].as_u64().unwrap_or(0), schema["maxLength"].as_u64().unwrap_or(u64::MAX));
    let length = 4.max(least).min(most).min(MAX_LENGTH);
    json!("text".chars().chain(std::iter::repeat('x')).take(length as usize).collect::<String>())
}

fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2026-11-19T08:30:00Z",
        "date" => "2026-11-19",
        "time" => "08:30:00Z",
        "duration" => "PT1H30M",
        "email" | "idn-email" => "ada@example.com",
        "hostname" | "idn-hostname" => "www.example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" => "https://example.com/page",
        "uri-reference" | "iri-reference" => "/page",
        "uuid" => "6fa459ea-ee8a-4ca4-894e-db77e160355e",
        _ => return None,
    })
}

fn list(root: &Value, schema: &Value, depth: usize) -> Value {
    if let Some(items) = schema["prefixItems"].as_array() {
        return items.iter().map(|item| value(root, item, depth - 1)).collect();
    }
    let least = schema["minItems"].as_u64().unwrap_or(1).clamp(1, MAX_LENGTH);
    let count = least.min(schema["maxItems"].as_u64().unwrap_or(least));
    (0..count).map(|_| value(root, &schema["items"], depth - 1)).collect()
}

fn object(root: &Value, schema: &Value, depth: usize) -> Value {
    let required = properties(schema).into_iter().filter(|(.., required)| *required);
    let mut fields: Map<String, Value> =
        required.map(|(name, property, _)| (name.to_owned(), value(root, property, depth - 1))).collect();
    let others = &schema["additionalProperties"];
    if fields.is_empty() && others.is_object() {
        fields.insert("key".to_owned(), value(root, others, depth - 1));
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_follows_the_rules_of_the_schema() {
        let schema = json!({"type": "object", "required": ["n", "word", "day", "list", "place", "map", "shown"], "properties": {
            "n": {"type": "integer", "minimum": 7, "multipleOf": 5}, "word": {"type": "string", "minLength": 6},
            "day": {"type": ["string", "null"], "format": "date"},
            "list": {"type": "array", "items": {"enum": ["near", "far"]}, "minItems": 2},
            "place": {"$ref": "#/$defs/Place"}, "map": {"type": "object", "additionalProperties": {"type": "boolean"}},
            "shown": {"type": "string", "examples": ["Ulm"]}, "other": {"type": "string"}},
            "$defs": {"Place": {"type": "object", "properties": {"x": {"type": "number"}, "y": {}}, "required": ["x"]}}});
        let expected = json!({"n": 10, "word": "textxx", "day": "2026-11-19", "list": ["near", "near"], "place": {"x": 1},
            "map": {"key": true}, "shown": "Ulm"});
        assert_eq!(arguments(&schema).map(Value::Object), Ok(expected));
    }

    #[test]
    fn a_value_for_a_pattern_is_the_example_of_the_author_or_missing() {
        let schema = |examples: Value| {
            let pin = json!({"type": "string", "pattern": "^[0-9]{4}$", "examples": examples});
            json!({"type": "object", "required": ["pin", "size"], "properties": {"pin": pin, "size": {"$ref": "#/$defs/Size"}},
                "$defs": {"Size": {"type": "integer"}}})
        };
        assert_eq!(arguments(&schema(json!([]))), Err(vec!["pin".to_owned()]));
        assert_eq!(arguments(&schema(json!(["12"]))), Err(vec!["pin".to_owned()]));
        let sample = arguments(&schema(json!(["0042"]))).map(Value::Object);
        assert_eq!(sample, Ok(json!({"pin": "0042", "size": 1})));
    }
}
