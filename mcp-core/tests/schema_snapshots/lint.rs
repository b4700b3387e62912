//! Checks a schema for constructs that known clients or model providers reject.

use serde_json::{Map, Value};

const FORMATS: &[&str] = &["date-time", "date", "time", "duration", "email", "ipv4", "ipv6", "uri", "uuid"];

/// Returns the problems of an input schema.
pub(crate) fn problems(root: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    if root["type"] != "object" || !root["properties"].is_object() {
        problems.push("the root is not an object with properties".to_owned());
    }
    for keyword in ["oneOf", "anyOf", "allOf", "$ref", "$schema", "title"] {
        if root.get(keyword).is_some() {
            problems.push(format!("`{keyword}` at the root"));
        }
    }
    walk(root, root, "#", &mut problems);
    let text = root.to_string();
    for name in root.get("$defs").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
        if !text.contains(&format!("\"#/$defs/{name}\"")) {
            problems.push(format!("nothing refers to `{name}`"));
        }
    }
    if text.contains("__Args") || text.contains("Parameter_for") {
        problems.push("a generated name leaks".to_owned());
    }
    problems
}

fn walk(root: &Value, schema: &Value, at: &str, problems: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        problems.push(format!("{at} is {schema} and no object"));
        return;
    };
    let optional =
        |name: &String| schema.get("required").is_none_or(|names| !names.as_array().unwrap().contains(&name[..].into()));
    for (keyword, value) in schema {
        let at = format!("{at}/{keyword}");
        match keyword.as_str() {
            "properties" | "$defs" | "patternProperties" => {
                for (name, inner) in value.as_object().unwrap() {
                    walk(root, inner, &format!("{at}/{name}"), problems);
                    let null =
                        inner.get("type").and_then(Value::as_array).is_some_and(|names| names.contains(&"null".into()));
                    if keyword == "properties" && optional(name) && null {
                        problems.push(format!("{at}/{name} is optional and shows null"));
                    }
                }
            }
            "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
                value.as_array().unwrap().iter().for_each(|inner| walk(root, inner, &at, problems));
            }
            "additionalProperties" | "unevaluatedProperties" if value.is_boolean() => {}
            "items" | "not" | "additionalProperties" | "unevaluatedProperties" | "propertyNames" => {
                walk(root, value, &at, problems)
            }
            "format" if !FORMATS.contains(&value.as_str().unwrap()) => problems.push(format!("{at} is {value}")),
            "type" if !value.is_string() => problems.push(format!("{at} is {value}")),
            "default" if value.is_null() => problems.push(format!("{at} is null")),
            "$ref" => {
                let pointer = value.as_str().unwrap().strip_prefix('#');
                if pointer.and_then(|pointer| root.pointer(pointer)).is_none() {
                    problems.push(format!("{at} leads nowhere: {value}"));
                }
            }
            "description" if value.as_str().unwrap().trim() != value.as_str().unwrap() => {
                problems.push(format!("{at} has blanks around it"))
            }
            _ => {}
        }
    }
}
