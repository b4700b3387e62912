use serde_json::json;

use super::*;

fn arguments(old: Value, new: Value) -> Differences {
    let whole = |properties: Value| json!({"type": "object", "additionalProperties": false, "properties": properties});
    compare(Direction::Arguments, &whole(old), &whole(new))
}

#[test]
fn a_wider_argument_breaks_nobody() {
    for (old, new) in [
        (json!({"type": "integer"}), json!({"type": "number"})),
        (json!({"type": "string"}), json!({"type": ["string", "null"]})),
        (json!({"type": "string"}), json!({"anyOf": [{"type": "integer"}, {"type": "string"}]})),
        (json!({"enum": ["a"]}), json!({"type": "string", "enum": ["b", "a"]})),
        (
            json!({"enum": ["a", "b"]}),
            json!({"oneOf": [{"const": "a", "description": "A"}, {"const": "b"}, {"const": "c"}]}),
        ),
        (json!({"type": "string", "enum": ["a"]}), json!({"type": "string"})),
        (json!({"type": "integer", "minimum": 1, "maximum": 5}), json!({"type": "integer", "minimum": 0})),
        (json!({"type": "integer", "format": "uint32", "minimum": 0}), json!({"type": "integer", "format": "int64"})),
        (
            json!({"type": "array", "items": {"type": "integer"}, "minItems": 2}),
            json!({"type": "array", "items": {"type": "number"}}),
        ),
        (json!({"type": "string", "maxLength": 3}), json!({"type": "string", "maxLength": 4, "description": "x"})),
        (json!(true), json!({})),
    ] {
        assert_eq!(
            arguments(json!({"a": old}), json!({"a": new, "b": {"type": "string"}})),
            Differences::new(),
            "{old} {new}"
        );
    }
}

#[test]
fn a_narrower_argument_is_named() {
    for (old, new, sentence) in [
        (json!({"type": "number"}), json!({"type": "integer"}), "argument `a` was number and is integer"),
        (json!({"type": ["string", "null"]}), json!({"type": "string"}), "argument `a` was null and is string"),
        (json!({"enum": ["x", "y"]}), json!({"enum": ["x"]}), "argument `a` no longer accepts `\"y\"`"),
        (json!({"type": "string"}), json!({"enum": ["x"]}), "no longer accepts all values"),
        (json!({"type": "string"}), json!({"type": "string", "pattern": "^x"}), "has the new rule `pattern: \"^x\"`"),
        (json!({"type": "string"}), json!({"type": "string", "format": "date"}), "has the new rule `format: \"date\"`"),
        (
            json!({"type": "integer", "minimum": 0}),
            json!({"type": "integer", "minimum": 1}),
            "has `minimum: 1` instead of `minimum: 0`",
        ),
        (
            json!({"type": "integer", "format": "int64"}),
            json!({"type": "integer", "format": "uint8"}),
            "instead of `format: \"int64\"`",
        ),
        (
            json!({"type": "array", "items": {"type": "number"}}),
            json!({"type": "array", "items": {"type": "integer"}}),
            "argument `a[]` was",
        ),
        (json!({"type": "string"}), json!({"not": {"const": "x"}, "type": "string"}), "has the new rule `not: "),
        (
            json!({"oneOf": [{"type": "object"}, {"type": "null"}]}),
            json!({"oneOf": [{"type": "object"}]}),
            "different `oneOf`",
        ),
        (json!({}), json!(false), "argument `a` no longer accepts any value"),
    ] {
        let found = arguments(json!({"a": old}), json!({"a": new}));
        assert!(found.iter().any(|found| found.contains(sentence)), "{sentence}: {found:?}");
    }
    assert_eq!(arguments(json!({"a": {}}), json!({})), ["argument `a` is gone"]);
}

#[test]
fn nested_and_referenced_types_are_compared_with_their_path() {
    let schema = |kind: &str, required: &[&str]| {
        json!({
            "type": "object",
            "properties": {"tree": {"$ref": "#/$defs/Node"}},
            "$defs": {"Node": {
                "type": "object",
                "required": required,
                "properties": {"value": {"type": kind}, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
            }},
        })
    };
    let same = compare(Direction::Arguments, &schema("string", &[]), &schema("string", &[]));
    assert_eq!(same, Differences::new(), "a type that contains itself is equal to itself");
    let found = compare(Direction::Arguments, &schema("string", &[]), &schema("integer", &["value"]));
    for sentence in ["argument `tree.value` is now required", "argument `tree.value` was string and is integer"] {
        assert!(found.iter().any(|found| found == sentence), "{sentence}: {found:?}");
    }
}

#[test]
fn results_may_get_fields_and_lose_none() {
    let schema =
        |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required});
    let compare = |old: &Value, new: &Value| compare(Direction::Results, old, new);
    let old = schema(json!({"n": {"type": "number"}, "word": {"enum": ["a", "b"]}}), &["n"]);
    let more =
        schema(json!({"n": {"type": "integer"}, "word": {"enum": ["a"]}, "extra": {"type": "string"}}), &["n", "extra"]);
    assert_eq!(compare(&old, &more), Differences::new());
    let less = schema(json!({"n": {"type": ["number", "null"]}, "word": {"enum": ["a", "b", "c"]}}), &[]);
    assert_eq!(
        compare(&old, &less),
        [
            "`n` of the result is no longer always there",
            "`n` of the result was number and is null",
            "`word` of the result can now be `\"c\"`"
        ]
    );
    assert_eq!(compare(&old, &schema(json!({"n": {"type": "number"}}), &["n"])), ["`word` of the result is gone"]);
}

#[test]
fn what_cannot_be_understood_counts_as_breaking() {
    for schema in [
        json!({"$ref": "#/nowhere"}),
        json!({"$ref": "#/properties/a"}),
        json!({"$ref": "#/$defs/x", "minimum": 1}),
        json!(7),
    ] {
        let found = arguments(json!({"a": schema}), json!({"a": schema}));
        assert!(found[0].contains("cannot be compared"), "{schema}: {found:?}");
    }
}

#[test]
fn a_file_that_is_not_a_list_of_tools_is_an_error() {
    let tool = json!({"name": "a", "inputSchema": {}});
    for good in [json!([tool]), json!({"tools": [tool]}), json!({"result": {"tools": [tool]}})] {
        assert_eq!(parse(&good.to_string()), Ok(vec![tool.clone()]));
    }
    for bad in ["", "{}", "[1]", "[{\"name\": \"a\"}]"] {
        assert!(parse(bad).is_err(), "{bad}");
    }
}
