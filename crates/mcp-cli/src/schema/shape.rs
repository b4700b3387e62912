//! Renders a schema in one line: `{x: number, y: number}`, `near|far`, `[date]`.

use serde_json::Value;

use super::properties;
use super::types::{choices, resolved};

/// How deep nested objects and lists are shown. Schemas may be recursive.
const MAX_DEPTH: usize = 5;
/// The maximum number of words of an enum that are shown.
const MAX_WORDS: usize = 12;

/// Renders a schema.
pub fn shape(root: &Value, schema: &Value) -> String {
    Renderer { root, upper: false }.render(schema, MAX_DEPTH)
}

/// Renders a schema as a placeholder, with the names of types in capitals: `INTEGER`, `near|far`, `[DATE]`.
pub(crate) fn placeholder(root: &Value, schema: &Value) -> String {
    Renderer { root, upper: true }.render(schema, MAX_DEPTH)
}

struct Renderer<'a> {
    root: &'a Value,
    upper: bool,
}

impl Renderer<'_> {
    fn render(&self, schema: &Value, depth: usize) -> String {
        if depth == 0 {
            return "...".to_owned();
        }
        let schema = resolved(self.root, schema);
        let words = choices(self.root, schema);
        if !words.is_empty() {
            return listed_words(&words);
        }
        if let Some(branches) = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema[keyword].as_array()) {
            return self.alternatives(branches.iter().map(|branch| self.render(branch, depth)));
        }
        match &schema["type"] {
            Value::String(kind) => self.of_type(kind, schema, depth),
            Value::Array(kinds) => {
                self.alternatives(kinds.iter().filter_map(Value::as_str).map(|kind| self.of_type(kind, schema, depth)))
            }
            _ if schema.get("properties").is_some() => self.object(schema, depth),
            _ => self.word("any"),
        }
    }

    fn of_type(&self, kind: &str, schema: &Value, depth: usize) -> String {
        match kind {
            "string" => self.word(schema["format"].as_str().unwrap_or(kind)),
            "array" => self.list(schema, depth),
            "object" => self.object(schema, depth),
            kind => self.word(kind),
        }
    }

    fn list(&self, schema: &Value, depth: usize) -> String {
        if let Some(items) = schema["prefixItems"].as_array() {
            let items: Vec<String> = items.iter().map(|item| self.render(item, depth - 1)).collect();
            return format!("[{}]", items.join(", "));
        }
        format!("[{}, ...]", self.render(&schema["items"], depth - 1))
    }

    fn object(&self, schema: &Value, depth: usize) -> String {
        let mut fields: Vec<String> = properties(schema)
            .into_iter()
            .map(|(name, property, required)| {
                let mark = if required { "" } else { "?" };
                format!("{name}{mark}: {}", self.render(property, depth - 1))
            })
            .collect();
        let others = &schema["additionalProperties"];
        if others.is_object() {
            fields.push(format!("any key: {}", self.render(others, depth - 1)));
        }
        if fields.is_empty() { self.word("object") } else { format!("{{{}}}", fields.join(", ")) }
    }

    fn alternatives(&self, forms: impl Iterator<Item = String>) -> String {
        let mut all: Vec<String> = Vec::new();
        for form in forms {
            if !all.contains(&form) {
                all.push(form);
            }
        }
        all.join(" | ")
    }

    fn word(&self, word: &str) -> String {
        if self.upper { word.to_uppercase() } else { word.to_owned() }
    }
}

fn listed_words(words: &[Value]) -> String {
    let mut shown: Vec<String> = words.iter().take(MAX_WORDS).map(word_of).collect();
    if words.len() > MAX_WORDS {
        shown.push("...".to_owned());
    }
    shown.join("|")
}

/// Returns a word of an enum, without quotation marks.
pub(crate) fn word_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_shape_of_a_schema_is_one_line() {
        let root = json!({"$defs": {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}}});
        for (schema, expected) in [
            (json!({"type": "integer"}), "integer"),
            (json!({"type": "string", "format": "date-time"}), "date-time"),
            (json!({"enum": ["near", "far"]}), "near|far"),
            (json!({"type": ["string", "null"]}), "string | null"),
            (json!({"type": "array", "items": {"type": "number"}}), "[number, ...]"),
            (json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}), "[string, integer]"),
            (
                json!({"type": "object", "properties": {"x": {"type": "number"}, "y": {}}, "required": ["x"]}),
                "{x: number, y?: any}",
            ),
            (json!({"type": "object", "additionalProperties": {"type": "integer"}}), "{any key: integer}"),
            (
                json!({"oneOf": [{"type": "object", "properties": {"kind": {"const": "circle"}}, "required": ["kind"]},
                    {"type": "null"}]}),
                "{kind: circle} | null",
            ),
            (json!({"$ref": "#/$defs/Tree"}), "{left?: {left?: {left?: {left?: {left?: ...}}}}}"),
        ] {
            assert_eq!(shape(&root, &schema), expected, "{schema}");
        }
        assert_eq!(
            placeholder(&root, &json!({"type": "array", "items": {"format": "date", "type": "string"}})),
            "[DATE, ...]"
        );
    }
}
