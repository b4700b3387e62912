//! Checks that model providers accept the input schemas.

use serde_json::Value;

use super::Findings;

/// The maximum length of an argument name in the API of Anthropic.
///
/// "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'" (anthropics/claude-code#4668).
const MAX_KEY: usize = 64;

/// Keywords that OpenAI's guide to structured outputs lists as not supported in strict mode, and that the `Schema` of Gemini's API, a
/// subset of OpenAPI 3.0, has no field for.
const UNSUPPORTED: [&str; 5] = ["not", "if", "patternProperties", "dependentSchemas", "unevaluatedProperties"];

/// Checks an input schema.
///
/// Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level" (anthropics/claude-code#5973). Every
/// request with such a tool fails, not only those that call it.
pub(super) fn input(subject: &str, schema: &Value, findings: &mut Findings) {
    for keyword in ["oneOf", "anyOf", "allOf"] {
        if schema.get(keyword).is_some() {
            findings.error(subject, format!("`{keyword}` at the root of its schema: Anthropic rejects it"));
        }
    }
    walk(subject, schema, "", findings);
}

fn walk(subject: &str, schema: &Value, at: &str, findings: &mut Findings) {
    let place = || if at.is_empty() { "the root of its schema".to_owned() } else { format!("`{at}`") };
    let Some(keywords) = schema.as_object() else {
        // `true` and `false` are valid in JSON Schema, but most providers do not support them.
        findings.warning(subject, format!("{} is `{schema}`, which OpenAI and Gemini reject: give it a type", place()));
        return;
    };
    for (keyword, value) in keywords {
        let inner = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
        match keyword.as_str() {
            "properties" => {
                for (name, property) in value.as_object().into_iter().flatten() {
                    key(subject, name, findings);
                    walk(subject, property, &inner(name), findings);
                }
            }
            "$defs" | "definitions" => {
                value.as_object().into_iter().flatten().for_each(|(name, one)| walk(subject, one, name, findings));
            }
            "items" => walk(subject, value, &inner("[]"), findings),
            "additionalProperties" if value.is_object() => walk(subject, value, &inner("*"), findings),
            "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
                value.as_array().into_iter().flatten().for_each(|one| walk(subject, one, at, findings));
            }
            // `type` is one value of an enum in Gemini's `Schema`.
            "type" if value.is_array() => {
                findings.warning(subject, format!("{} has several types, which Gemini rejects", place()));
            }
            // "Invalid value at 'tools[0].function_declarations[..].enum[0]' (TYPE_STRING)" (microsoft/azure-devops-mcp#139).
            "enum" if value.as_array().is_some_and(|values| !values.iter().all(Value::is_string)) => {
                findings.warning(subject, format!("{} has enum values that are not strings, which Gemini rejects", place()));
            }
            unknown if UNSUPPORTED.contains(&unknown) => {
                findings.warning(
                    subject,
                    format!("{} uses `{keyword}`, which Gemini and OpenAI's strict mode do not support", place()),
                );
            }
            _ => {}
        }
    }
}

fn key(subject: &str, name: &str, findings: &mut Findings) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if name.is_empty() || name.chars().count() > MAX_KEY || !name.chars().all(is_plain) {
        findings.error(
            subject,
            format!("argument {name:?}: Anthropic accepts names of 1 to {MAX_KEY} characters of A-Z a-z 0-9 _ . -"),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Severity;
    use super::*;

    #[test]
    fn unsupported_schemas_are_found_at_every_depth() {
        for (property, severity, word) in [
            (json!({"naïve": {"type": "string"}}), Severity::Error, "Anthropic"),
            (json!({"a": true}), Severity::Warning, "`a` is `true`"),
            (json!({"a": {"type": ["string", "null"]}}), Severity::Warning, "several types"),
            (json!({"a": {"type": "array", "items": {"enum": [1, 2]}}}), Severity::Warning, "`a.[]`"),
            (json!({"a": {"type": "object", "properties": {"b": {"not": {}}}}}), Severity::Warning, "`a.b` uses `not`"),
        ] {
            let mut findings = Findings::default();
            input("tool", &json!({"type": "object", "properties": property}), &mut findings);
            let [finding] = &findings.0[..] else { panic!("{property}: {findings:?}") };
            assert!(finding.severity == severity && finding.reason.contains(word), "{finding}");
        }
        let mut findings = Findings::default();
        input("tool", &json!({"type": "object", "anyOf": [{"type": "object"}]}), &mut findings);
        assert_eq!(findings.0[0].severity, Severity::Error);
    }
}
