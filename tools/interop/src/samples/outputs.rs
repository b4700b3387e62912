use std::collections::BTreeMap;

use mcp_core::{Json, Toolset, tool, tools};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// A sample tool with structured output.
#[derive(Debug)]
#[non_exhaustive]
pub struct Output {
    /// The name of the tool. It has no required arguments.
    pub tool: &'static str,
    /// The value that it returns.
    pub value: Value,
    /// Whether the value is an object. Older revisions need other values wrapped in one.
    pub is_object: bool,
}

/// The sample tools with structured output.
#[must_use]
pub fn outputs() -> Vec<Output> {
    let place = json!({"x": 1.5, "y": 2.0, "label": null});
    let object = |tool, value| Output { tool, value, is_object: true };
    let other = |tool, value| Output { tool, value, is_object: false };
    vec![
        object("give_struct", place.clone()),
        object("give_map", json!({"a": 1, "b": 2})),
        object("give_or_fail", place.clone()),
        other("give_list", json!([place])),
        other("give_empty_list", json!([])),
        other("give_number", json!(42)),
        other("give_text", json!("hello")),
        other("give_bool", json!(false)),
        other("give_word", json!("second_one")),
        other("give_variant", json!({"kind": "circle", "radius": 1.5})),
        other("give_option", place),
        other("give_nothing", json!(null)),
        other("give_tuple", json!(["a", 1])),
        other("give_tree", json!([1, [2, []]])),
        other("give_anything", json!({"free": ["form"]})),
    ]
}

pub(super) fn tools() -> impl Toolset {
    tools![
        give_struct,
        give_map,
        give_or_fail,
        give_list,
        give_empty_list,
        give_number,
        give_text,
        give_bool,
        give_word,
        give_variant,
        give_option,
        give_nothing,
        give_tuple,
        give_tree,
        give_anything,
    ]
}

/// A place on a map.
#[derive(Serialize, JsonSchema)]
struct Place {
    /// to the east
    x: f64,
    /// to the north
    y: f64,
    label: Option<String>,
}

const HERE: Place = Place { x: 1.5, y: 2.0, label: None };

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "for its schema")]
enum Word {
    First,
    SecondOne,
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code, reason = "for its schema")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Tree {
    Leaf(u8),
    List(Vec<Tree>),
}

/// Give an object.
#[tool]
async fn give_struct() -> Json<Place> {
    Json(HERE)
}

/// Give a map.
#[tool]
async fn give_map() -> Json<BTreeMap<&'static str, u32>> {
    Json(BTreeMap::from([("a", 1), ("b", 2)]))
}

/// Give an object, or fail if `fail` is true.
#[tool]
async fn give_or_fail(#[default] fail: bool) -> Result<Json<Place>, String> {
    if fail { Err("failed as requested".to_owned()) } else { Ok(Json(HERE)) }
}

/// Give a list of objects.
#[tool]
async fn give_list() -> Json<Vec<Place>> {
    Json(vec![HERE])
}

/// Give an empty list.
#[tool]
async fn give_empty_list() -> Json<Vec<String>> {
    Json(Vec::new())
}

/// Give a number.
#[tool]
async fn give_number() -> Json<u64> {
    Json(42)
}

/// Give a text.
#[tool]
async fn give_text() -> Json<String> {
    Json("hello".to_owned())
}

/// Give `false`.
#[tool]
async fn give_bool() -> Json<bool> {
    Json(false)
}

/// Give a variant without data.
#[tool]
async fn give_word() -> Json<Word> {
    Json(Word::SecondOne)
}

/// Give a variant with data.
#[tool]
async fn give_variant() -> Json<Shape> {
    Json(Shape::Circle { radius: 1.5 })
}

/// Give an optional object.
#[tool]
async fn give_option() -> Json<Option<Place>> {
    Json(Some(HERE))
}

/// Give an absent object.
#[tool]
async fn give_nothing() -> Json<Option<Place>> {
    Json(None)
}

/// Give two values.
#[tool]
async fn give_tuple() -> Json<(String, u8)> {
    Json(("a".to_owned(), 1))
}

/// Give nested lists.
#[tool]
async fn give_tree() -> Json<Tree> {
    Json(Tree::List(vec![Tree::Leaf(1), Tree::List(vec![Tree::Leaf(2), Tree::List(Vec::new())])]))
}

/// Give anything.
#[tool]
async fn give_anything() -> Json<Value> {
    Json(json!({"free": ["form"]}))
}
