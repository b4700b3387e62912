//! The complete error texts for invalid arguments.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use mcp_core::transport::Session;
use mcp_core::{Context, Server, ToolSpec, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::session::{call, open};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Search {
    /// what to look for
    query: String,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    filter: Option<Filter>,
    sort: Option<Sort>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Filter {
    min_score: f64,
    tags: Option<Vec<String>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Score,
    Date,
}

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Nested {
    tree: Tree,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Tree {
    Leaf(u8),
    List(Vec<Tree>),
    Named { name: Box<Tree> },
}

fn session<T: DeserializeOwned + Send + 'static>(spec: ToolSpec) -> Session {
    open([tool_fn(spec, |_: T, _: Context| async {})])
}

fn explained<T: DeserializeOwned + JsonSchema + Send + 'static>(arguments: &str) -> String {
    call(&session::<T>(ToolSpec::new("sample", "Takes it.").input::<T>()), arguments).unwrap_err()
}

#[test]
fn all_violations_are_reported_together() {
    let arguments = json!({
        "limit": 1000,
        "filter": {"minScore": 1, "tags": ["a", 2, null]},
        "sort": "dates",
        "verbose": true,
    });
    let expected = r#"invalid arguments:
- `filter.minScore`: unknown; did you mean `min_score`?
- `filter.tags[1]`: expected a string, got the number 2
- `filter.tags[2]`: expected a string, got null
- `filter.min_score`: missing, expected a number
- `limit`: expected at most 100, got the number 1000
- `sort`: expected one of "score", "date", got the string "dates"; did you mean "date"?
- `verbose`: unknown; known are `query`, `limit`, `filter`, `sort`
- `query`: missing, expected a string (what to look for)"#;
    let message = explained::<Search>(&arguments.to_string());
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(|line| line.split("known are").next().unwrap().to_owned()).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&message), sorted(expected), "{message}");
}

#[test]
fn errors_in_scalar_arguments_are_explained() {
    let message = explained::<Add>(r#"{"a": "1"}"#);
    let mut lines: Vec<&str> = message.lines().collect();
    lines[1..].sort_unstable();
    assert_eq!(
        lines.join("\n"),
        "invalid arguments:\n- `a`: expected an integer, got the string \"1\"\n- `b`: missing, expected an integer"
    );
}

#[test]
fn a_duplicate_argument_is_rejected() {
    let message = explained::<Add>(r#"{"a": 1, "b": 2, "a": 3}"#);
    assert!(message.contains("duplicate field `a`"), "{message}");
}

#[test]
fn arguments_that_are_not_an_object_are_rejected() {
    for arguments in ["[1, 2]", "\"a\"", "1", "null"] {
        let message = call(&session::<Add>(ToolSpec::new("sample", "Takes it.").input::<Add>()), arguments);
        assert!(message.is_err(), "{arguments}");
    }
}

#[test]
fn the_error_for_huge_values_and_many_violations_is_short() {
    let long = "x".repeat(1_000_000);
    let message = explained::<Add>(&json!({"a": long, "b": vec![1; 1000]}).to_string());
    assert!(message.len() < 300, "{message}");

    let mut many = String::from(r#"{"query": "a""#);
    for i in 0..300_000 {
        write!(many, r#", "key{i}": {i}"#).unwrap();
    }
    let started = Instant::now();
    let message = explained::<Search>(&(many + "}"));
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    assert!(message.ends_with("- and 299980 more"), "{message}");
    assert!(message.len() < 4000 && message.lines().count() == 22, "{message}");

    let message = explained::<Search>(
        &json!({"query": 1, long.clone(): 1, "filter": {"min_score": 1, "tags": vec![1; 500]}}).to_string(),
    );
    assert!(message.len() < 4000 && message.contains("`query`: expected a string"), "{message}");
}

#[test]
fn deep_nesting_is_rejected_or_explained_and_never_overflows_the_stack() {
    let nest = |depth: usize| format!("{}1000{}", "[".repeat(depth), "]".repeat(depth));
    for depth in [10, 100, 120, 200, 100_000] {
        let message = explained::<Nested>(&format!(r#"{{"tree": {}}}"#, nest(depth)));
        assert!(
            message.starts_with(if depth > 127 {
                "the arguments cannot be parsed: recursion limit"
            } else {
                "invalid arguments:\n- `tree"
            }),
            "{message}"
        );
        assert!(message.len() < 4000, "{message}");
    }
}

#[test]
fn errors_in_a_recursive_anyof_are_explained_in_polynomial_time() {
    let started = Instant::now();
    let mut arguments = String::from("1000");
    for depth in 0..50 {
        arguments = if depth % 2 == 0 { format!("[1, {arguments}]") } else { format!(r#"{{"name": {arguments}}}"#) };
    }
    let message = explained::<Nested>(&format!(r#"{{"tree": {arguments}}}"#));
    assert!(message.contains("expected at most 255, got the number 1000"), "{message}");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn a_handwritten_schema_is_enforced_for_untyped_arguments() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let session = session::<Value>(ToolSpec::new("sample", "Takes it.").input_schema(schema));
    assert_eq!(call(&session, r#"{"name": "a", "other": 1}"#), Ok(()));
    assert_eq!(
        call(&session, r#"{"name": 1}"#).unwrap_err(),
        "invalid arguments:\n- `name`: expected a string, got the number 1"
    );
    assert!(call(&session, "{}").is_err());
}

#[test]
fn a_tool_without_arguments_rejects_arguments() {
    let session = session::<Value>(ToolSpec::new("sample", "Takes nothing."));
    assert_eq!(call(&session, "{}"), Ok(()));
    assert_eq!(call(&session, r#"{"a": 1}"#).unwrap_err(), "invalid arguments:\n- `a`: unknown; no key is allowed here");
}

#[test]
fn an_invalid_handwritten_schema_allows_nothing() {
    let schema = json!({"type": "object", "properties": {"name": {"type": "strin"}}});
    let session = session::<Value>(ToolSpec::new("sample", "Takes it.").input_schema(schema));
    assert!(call(&session, r#"{"name": "a"}"#).unwrap_err().contains("the schema of the tool is invalid"));
}

#[test]
fn a_flattened_enum_is_a_build_error_with_the_reason() {
    #[derive(Deserialize, JsonSchema)]
    struct Flattened {
        name: String,
        #[serde(flatten)]
        sort: Shape,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle { radius: f64 },
        Square { side: f64 },
    }
    let build =
        |spec: ToolSpec| Server::builder("schemas", "1.0.0").tools([tool_fn(spec, |_: Value, _: Context| async {})]).build();
    let error = build(ToolSpec::new("draw", "Draws.").input::<Flattened>()).unwrap_err().to_string();
    assert!(error.contains("draw") && error.contains("`oneOf` at its root") && error.contains("flattened"), "{error}");
    let error = build(ToolSpec::new("draw", "Draws.").input::<Shape>()).unwrap_err().to_string();
    assert!(error.contains("`oneOf` at its root"), "{error}");
    let error = build(ToolSpec::new("draw", "Draws.").input::<String>()).unwrap_err().to_string();
    assert!(error.contains("of type \"string\""), "{error}");
}

#[derive(Deserialize, JsonSchema)]
struct Stay {
    from: NaiveDate,
    to: NaiveDate,
    guest: Guest,
    #[schemars(extend("format" = "duration"))]
    extension: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Guest {
    id: Uuid,
    #[schemars(email)]
    mail: Option<String>,
}

#[test]
fn each_invalid_format_has_a_line_with_its_path_its_value_and_an_example() {
    let arguments =
        json!({"from": "1st of May", "to": "2026-02-30", "guest": {"id": "7", "mail": "ada"}, "extension": "2 days"});
    let expected = [
        "invalid arguments:",
        r#"- `from`: expected a date such as "2026-11-19", got the string "1st of May""#,
        r#"- `to`: expected a date such as "2026-11-19", got the string "2026-02-30""#,
        r#"- `extension`: expected an ISO 8601 duration such as "PT1H30M", got the string "2 days""#,
        r#"- `guest.id`: expected a UUID such as "6fa459ea-ee8a-4ca4-894e-db77e160355e", got the string "7""#,
        r#"- `guest.mail`: expected an email address such as "ada@example.com", got the string "ada""#,
    ];
    assert_eq!(explained::<Stay>(&arguments.to_string()), expected.join("\n"));
}

#[test]
fn a_misspelt_key_of_a_nested_object_is_named_with_the_key_that_was_meant() {
    let id = "6fa459ea-ee8a-4ca4-894e-db77e160355e";
    let arguments = json!({"from": "2026-05-01", "to": "2026-05-02", "guest": {"id": id, "mial": "ada@example.com"}});
    assert_eq!(
        explained::<Stay>(&arguments.to_string()),
        "invalid arguments:\n- `guest.mial`: unknown; did you mean `mail`?"
    );
}
