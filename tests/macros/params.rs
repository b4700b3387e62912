//! Tests of parameters and their attributes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use mcp_core::{Server, serde_json, tool, tools};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::asking::{call, describe, text};

fn ten() -> u32 {
    10
}

fn shouted<'de, D: Deserializer<'de>>(input: D) -> Result<String, D::Error> {
    Ok(String::deserialize(input)?.to_uppercase())
}

#[derive(Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Up,
    Down,
}

/// Use all attributes of parameters.
#[tool]
fn attributes(
    #[serde(rename = "type")] kind: String,
    #[serde(default)] offset: u32,
    #[serde(default = "ten")] limit: u32,
    #[serde(alias = "word")] text: String,
    #[serde(deserialize_with = "shouted")] loud: String,
    #[schemars(range(min = 1, max = 5), description = "one to five stars")] stars: u8,
    #[default(Order::Down)] order: Order,
    #[default] other: Order,
    #[default("x".to_owned())]
    #[serde(deserialize_with = "shouted")]
    shout: String,
    mut r#move: Vec<i64>,
) -> String {
    r#move.sort_unstable();
    let (order, other) = (matches!(order, Order::Down), matches!(other, Order::Up));
    format!("{kind} {offset} {limit} {text} {loud} {stars} {order} {other} {shout} {:?}", r#move)
}

#[test]
fn serde_attributes_control_how_an_argument_is_decoded() {
    let server = || Server::builder("test", "1").tools(tools![attributes]);
    let sent = json!({"type": "a", "text": "b", "loud": "c", "stars": 5, "move": [2, 1]});
    assert_eq!(text(&call(server(), "attributes", sent)), ("a 0 10 b C 5 true true x [1, 2]".to_owned(), false));
}

#[test]
fn schemars_attributes_change_the_schema() {
    let tool = describe(Server::builder("test", "1").tools(tools![attributes]), "attributes");
    let schema = &tool["inputSchema"];
    assert_eq!(schema["properties"]["stars"]["description"], "one to five stars");
    assert_eq!(schema["properties"]["stars"]["maximum"], 5);
    assert_eq!(schema["properties"]["limit"]["default"], 10);
    assert_eq!(schema["properties"]["offset"]["default"], 0);
    assert_eq!(schema["properties"]["order"]["default"], "down");
    assert_eq!(schema["properties"]["other"]["default"], "up");
    assert_eq!(schema["properties"]["shout"]["default"], "x");
    assert_eq!(schema["required"], json!(["type", "text", "loud", "stars", "move"]));
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn schemars_constraints_are_enforced() {
    let sent = json!({"type": "a", "text": "b", "loud": "c", "stars": 6, "move": []});
    let result = call(Server::builder("test", "1").tools(tools![attributes]), "attributes", sent);
    assert_eq!(result["isError"], true, "{result}");
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Page {
    size: u32,
    #[serde(default)]
    number: u32,
}

/// Show a page.
#[tool]
fn page(query: String, #[serde(flatten)] page: Page) -> String {
    format!("{query} {}x{}", page.size, page.number)
}

#[test]
fn the_fields_of_a_flattened_argument_are_arguments_of_the_tool() {
    let server = || Server::builder("test", "1").tools(tools![page]);
    assert_eq!(text(&call(server(), "page", json!({"query": "q", "size": 3}))), ("q 3x0".to_owned(), false));
    assert_eq!(describe(server(), "page")["inputSchema"]["required"], json!(["query", "size"]));
}

/// Show a page, or none.
#[tool]
fn turn(query: String, #[serde(flatten)] page: Option<Page>) -> String {
    format!("{query} {}", page.map_or(0, |page| page.size))
}

/// Collect the other arguments.
#[tool]
fn keep(query: String, #[serde(flatten)] page: Page, #[serde(flatten)] rest: BTreeMap<String, Value>) -> String {
    format!("{query} {} {}", page.size, json!(rest))
}

#[test]
fn unknown_arguments_beside_a_flattened_one_are_rejected_unless_a_map_takes_them() {
    let server = || Server::builder("test", "1").tools(tools![page, turn, keep]);
    let refused = text(&call(server(), "page", json!({"query": "q", "size": 3, "nunber": 4})));
    assert_eq!(refused, ("invalid arguments:\n- `nunber`: unknown; did you mean `number`?".to_owned(), true));
    assert_eq!(describe(server(), "page")["inputSchema"]["additionalProperties"], false);

    assert_eq!(text(&call(server(), "turn", json!({"query": "q", "size": 3}))), ("q 3".to_owned(), false));
    assert_eq!(text(&call(server(), "turn", json!({"query": "q"}))), ("q 0".to_owned(), false));
    assert!(text(&call(server(), "turn", json!({"query": "q", "nunber": 4}))).1);

    let kept = text(&call(server(), "keep", json!({"query": "q", "size": 3, "nunber": 4})));
    assert_eq!(kept, ("q 3 {\"nunber\":4}".to_owned(), false));
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Window {
    #[serde(alias = "from")]
    start: u32,
}

/// Look through a window.
#[tool]
fn look(#[serde(flatten)] window: Window) -> u32 {
    window.start
}

#[test]
fn a_flattened_argument_accepts_the_aliases_of_its_fields() {
    let server = || Server::builder("test", "1").tools(tools![look]);
    assert_eq!(text(&call(server(), "look", json!({"start": 3}))), ("3".to_owned(), false));
    assert_eq!(text(&call(server(), "look", json!({"from": 3}))), ("3".to_owned(), false));
    assert!(text(&call(server(), "look", json!({"until": 3}))).1);
}

/// Take arguments of all kinds.
#[tool]
async fn kinds(
    map: HashMap<String, Vec<u8>>,
    sorted: BTreeMap<String, Option<f64>>,
    pair: (i32, String),
    any: Value,
    cow: Cow<'_, str>,
    boxed: Box<[bool; 2]>,
    nested: Option<Vec<Page>>,
) -> String {
    let pages = nested.map_or(0, |pages| pages.len());
    format!("{} {} {} {any} {cow} {} {pages}", map["a"].len(), sorted.len(), pair.1, boxed[1])
}

#[test]
fn arguments_can_have_any_type_that_serde_and_schemars_support() {
    let sent = json!({
        "map": {"a": [1, 2]}, "sorted": {"x": null}, "pair": [1, "p"], "any": {"k": 1}, "cow": "c", "boxed": [true, false],
        "nested": [{"size": 1}],
    });
    let result = call(Server::builder("test", "1").tools(tools![kinds]), "kinds", sent);
    assert_eq!(text(&result), ("2 1 p {\"k\":1} c false 1".to_owned(), false));
}

/// Take no arguments.
#[tool]
fn none() -> String {
    "none".to_owned()
}

#[test]
fn a_tool_without_arguments_rejects_all_arguments() {
    let server = || Server::builder("test", "1").tools(tools![none]);
    assert_eq!(text(&call(server(), "none", json!({}))), ("none".to_owned(), false));
    assert_eq!(call(server(), "none", json!({"x": 1}))["isError"], true);
}

macro_rules! tool_of_type {
    ($name:ident, $type:ty, $lent:ty) => {
        /// Take a type from a macro.
        #[tool]
        fn $name(value: $type, cx: $lent) -> String {
            format!("{value} for {}", cx.name())
        }
    };
}

tool_of_type!(from_macro, i64, &mcp_core::Context);

#[test]
fn a_macro_can_generate_a_tool() {
    let result = call(Server::builder("test", "1").tools(tools![from_macro]), "from_macro", json!({"value": 7}));
    assert_eq!(text(&result), ("7 for from_macro".to_owned(), false));
}

/// Has parameters that exist only on some targets.
#[tool]
fn conditional(
    always: u32,
    #[cfg(any())] never: NoSuchType,
    #[cfg(not(any()))]
    #[default(2)]
    sometimes: u32,
    #[cfg_attr(all(), serde(default))] given: u32,
    #[cfg(any())] lent: &NoSuchType,
) -> u32 {
    always + sometimes + given
}

#[test]
fn a_parameter_can_have_a_cfg_attribute() {
    let server = || Server::builder("test", "1").tools(tools![conditional]);
    assert_eq!(text(&call(server(), "conditional", json!({"always": 1}))), ("3".to_owned(), false));
    assert_eq!(describe(server(), "conditional")["inputSchema"]["required"], json!(["always"]));
}
