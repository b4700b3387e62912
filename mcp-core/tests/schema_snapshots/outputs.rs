//! Output schemas, and the validation of output.
#![allow(dead_code)]

use std::collections::BTreeMap;

use mcp_core::schema::OutputSchema;
use mcp_core::{Context, ToolResult, ToolSpec, tool_fn};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::session::{call, list, open};

/// The weather at a place.
#[derive(Serialize, JsonSchema)]
struct Weather {
    celsius: f32,
    wind: Option<Wind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    raw: Value,
}

#[derive(Serialize, JsonSchema)]
struct Wind {
    knots: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Tree {
    Leaf(u8),
    List(Vec<Tree>),
}

#[test]
fn the_output_schema_describes_the_serialized_form() {
    let expected = json!({
        "type": "object",
        "description": "The weather at a place.",
        "properties": {
            "celsius": {"type": "number"},
            "wind": {"anyOf": [
                {"type": "object", "properties": {"knots": {"type": "integer", "minimum": 0}}, "required": ["knots"]},
                {"type": "null"},
            ]},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "raw": {},
        },
        "required": ["celsius", "wind", "raw"],
    });
    assert_eq!(*OutputSchema::of::<Weather>().as_json(), expected);
}

#[test]
fn output_is_validated_against_its_schema() {
    let schema = OutputSchema::of::<Weather>();
    let good = Weather { celsius: 1.5, wind: Some(Wind { knots: 3 }), note: None, raw: json!([1]) };
    assert_eq!(schema.check(&to_raw_value(&good).unwrap()), Ok(()));
    let message = schema.check(&to_raw_value(&json!({"celsius": "warm", "wind": {"knots": -1}})).unwrap()).unwrap_err();
    let mut lines: Vec<&str> = message.lines().collect();
    lines.sort_unstable();
    let expected = [
        "- `celsius`: expected a number, got the string \"warm\"",
        "- `raw`: missing",
        "- `wind.knots`: expected at least 0, got the number -1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn output_that_is_not_an_object_is_wrapped_for_older_clients_and_its_references_resolve() {
    let spec = ToolSpec::new("sample", "Grows.").output::<Tree>();
    let tool = tool_fn(spec, |_: BTreeMap<String, Value>, _: Context| async { ToolResult::text("") });
    let tools = list(&open([tool]));
    let schema = &tools["result"]["tools"][0]["outputSchema"];
    assert_eq!(schema["type"], "object");
    let validator = jsonschema::draft202012::new(schema).unwrap();
    assert!(validator.is_valid(&json!({"result": [1, [2, [3]]]})));
    assert!(!validator.is_valid(&json!({"result": [1, [2, ["x"]]]})));
    assert!(!validator.is_valid(&json!([1])));
}

#[test]
fn output_that_does_not_match_the_output_schema_is_an_error() {
    for (output, words) in [
        (Some(json!({"knots": 1})), None),
        (Some(json!({"knots": "many"})), Some("`knots`: expected an integer, got the string \"many\"")),
        (None, Some("the result has no structured content")),
    ] {
        let spec = ToolSpec::new("sample", "Blows.").output::<Wind>().input_schema(json!({"type": "object"}));
        let tool = tool_fn(spec, move |_: Value, _: Context| {
            let result = ToolResult::text("");
            std::future::ready(match &output {
                Some(output) => result.structured(output).unwrap(),
                None => result,
            })
        });
        match (call(&open([tool]), "{}"), words) {
            (Ok(()), None) => {}
            (Err(message), Some(words)) => {
                assert!(message.contains(words) && message.contains("output schema"), "{message}")
            }
            (outcome, words) => panic!("{outcome:?} instead of {words:?}"),
        }
    }
}
