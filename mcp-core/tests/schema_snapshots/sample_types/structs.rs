//! Structs: nested, generic, recursive, flattened.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::SampleType;

/// A place on a map.
#[derive(Deserialize, JsonSchema)]
struct Point {
    /// to the east
    x: f64,
    /// to the north
    y: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Strict {
    min_score: u8,
    limit: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
struct Line {
    from: Point,
    to: Point,
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    value: i64,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(Deserialize, JsonSchema)]
struct Chain {
    next: Option<Box<Chain>>,
}

#[derive(Deserialize, JsonSchema)]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct UserId(u64);

#[derive(Deserialize, JsonSchema)]
struct Pair(String, u8);

#[derive(Deserialize, JsonSchema)]
struct Unit;

#[derive(Deserialize, JsonSchema)]
struct Empty {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoArguments {}

#[derive(Deserialize, JsonSchema)]
struct Flattened {
    name: String,
    #[serde(flatten)]
    point: Point,
}

#[derive(Deserialize, JsonSchema)]
struct FlattenedOption {
    name: String,
    #[serde(flatten)]
    point: Option<Point>,
}

#[derive(Deserialize, JsonSchema)]
struct Rest {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
struct Deep {
    line: Option<Line>,
    by_name: BTreeMap<String, Vec<Strict>>,
}

/// The arguments of a tool, as `#[tool]` generates them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct __Args {
    /// what to look for
    query: String,
    /// at most this many
    limit: Option<u32>,
    tags: Option<Vec<String>>,
}

pub(crate) fn all() -> Vec<SampleType> {
    let mut all = nested();
    all.extend(whole());
    all
}

#[allow(clippy::too_many_lines, reason = "a list of cases")]
fn nested() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<Point>("Point").accepts([json!({"x": 1, "y": 2.5})]).rejects([
            (json!({"x": 1}), "`value.y`: missing, expected a number (to the north)"),
            (json!({"x": 1, "y": 2, "z": 3}), "`value.z`: unknown; known are `x`, `y`"),
            (json!([1, 2]), "expected an object, got an array of 2 items"),
        ]),
        SampleType::parameter::<Option<Point>>("Option<Point>")
            .accepts([json!({"x": 1, "y": 2})])
            .also_accepts([json!(null)])
            .rejects([(json!({"x": 1, "y": "2"}), "`value.y`: expected a number"), (json!(1), "expected an object")]),
        SampleType::parameter::<Strict>("Strict")
            .accepts([json!({"min_score": 1}), json!({"min_score": 1.0, "limit": 3})])
            .also_accepts([json!({"min_score": 1, "limit": null})])
            .rejects([
                (json!({"min_score": 1, "limt": 2}), "`value.limt`: unknown; did you mean `limit`?"),
                (json!({"minScore": 1}), "`value.minScore`: unknown; did you mean `min_score`?"),
                (json!({"min_score": 1, "verbose": true}), "`value.verbose`: unknown; known are `"),
                (json!({"min_score": 300}), "`value.min_score`: expected at most 255, got the number 300"),
            ]),
        SampleType::parameter::<Vec<Point>>("Vec<Point>")
            .accepts([json!([{"x": 1, "y": 2}])])
            .rejects([(json!([{"x": 1, "y": 2}, {"x": "1"}]), "`value[1].x`: expected a number")]),
        SampleType::parameter::<Line>("Line").accepts([json!({"from": {"x": 1, "y": 2}, "to": {"x": 1, "y": 2}})]).rejects(
            [(
                json!({"from": {"x": 1, "y": 2}}),
                "`value.to`: missing, expected an object with `x`, `y` (A place on a map.)",
            )],
        ),
        SampleType::parameter::<Tree>("Tree")
            .accepts([json!({"value": 1, "children": [{"value": 2, "children": [{"value": 3.0}]}]})])
            .rejects([(
                json!({"value": 1, "children": [{"value": "2"}]}),
                "`value.children[0].value`: expected an integer",
            )]),
        SampleType::parameter::<Chain>("Chain")
            .accepts([json!({}), json!({"next": {"next": {}}})])
            .also_accepts([json!({"next": {"next": null}})])
            .rejects([(json!({"next": {"next": 1}}), "`value.next.next`: expected an object")]),
        SampleType::parameter::<Page<Point>>("Page<Point>")
            .accepts([json!({"items": [{"x": 1, "y": 2}], "next": "a"})])
            .rejects([(json!({"items": {}}), "`value.items`: expected an array")]),
        SampleType::parameter::<Page<String>>("Page<String>")
            .accepts([json!({"items": ["a"]})])
            .rejects([(json!({}), "`value.items`: missing")]),
        SampleType::parameter::<UserId>("UserId").accepts([json!(7)]).rejects([(json!(-7), "at least 0")]),
        SampleType::parameter::<Vec<UserId>>("Vec<UserId>")
            .accepts([json!([7])])
            .rejects([(json!([[7]]), "`value[0]`: expected an integer")]),
        SampleType::parameter::<Pair>("Pair").accepts([json!(["a", 1])]).rejects([(json!({"0": "a"}), "expected an array")]),
        SampleType::parameter::<Unit>("Unit").accepts([json!(null)]).rejects([(json!({}), "expected null")]),
        SampleType::parameter::<Empty>("Empty")
            .accepts([json!({}), json!({"a": 1})])
            .rejects([(json!([]), "expected an object")]),
        SampleType::parameter::<Range<u8>>("Range<u8>")
            .accepts([json!({"start": 1, "end": 2})])
            .rejects([(json!({"start": 1}), "`value.end`: missing, expected an integer")]),
        SampleType::parameter::<Duration>("Duration")
            .accepts([json!({"secs": 1, "nanos": 0})])
            .rejects([(json!(1), "expected an object")]),
        SampleType::parameter::<Deep>("Deep")
            .accepts([
                json!({"by_name": {"a": [{"min_score": 1}]}, "line": {"from": {"x": 1, "y": 1}, "to": {"x": 1, "y": 1}}}),
            ])
            .also_accepts([json!({"by_name": {}, "line": null})])
            .rejects([(
                json!({"by_name": {"a": [{"min_score": 1, "lim": 2}]}}),
                "`value.by_name.a[0].lim`: unknown; did you mean `limit`?",
            )]),
    ]
}

fn whole() -> Vec<SampleType> {
    vec![
        SampleType::arguments::<NoArguments>("no arguments")
            .accepts([json!({})])
            .rejects([(json!({"a": 1}), "`a`: unknown; no key is allowed")]),
        SampleType::arguments::<__Args>("arguments of a tool")
            .accepts([json!({"query": "a"}), json!({"query": "a", "limit": 1.0, "tags": ["b"]})])
            .also_accepts([json!({"query": "a", "limit": null, "tags": null})])
            .rejects([
                (json!({}), "`query`: missing, expected a string (what to look for)"),
                (json!({"query": "a", "Limit": 1}), "`Limit`: unknown; did you mean `limit`?"),
                (json!(["a", 1, []]), "object"),
            ]),
        SampleType::arguments::<Flattened>("flattened struct")
            .accepts([json!({"name": "a", "x": 1, "y": 2})])
            .rejects([(json!({"name": "a", "x": 1}), "`y`: missing, expected a number (to the north)")]),
        SampleType::closed::<Flattened>("flattened struct, closed")
            .accepts([json!({"name": "a", "x": 1, "y": 2})])
            .rejects([(json!({"name": "a", "x": 1, "y": 2, "nam": 1}), "`nam`: unknown; known are")]),
        SampleType::closed::<Rest>("struct that keeps the rest, closed")
            .accepts([json!({"name": "a"}), json!({"name": "a", "other": [1]})])
            .rejects([(json!({"other": 1}), "`name`: missing")]),
        SampleType::arguments::<FlattenedOption>("flattened optional struct")
            .accepts([json!({"name": "a"}), json!({"name": "a", "x": 1, "y": 2})])
            .rejects([(json!({"name": 1}), "`name`: expected a string")]),
        SampleType::arguments::<Rest>("struct that keeps the rest")
            .accepts([json!({"name": "a", "other": [1]})])
            .rejects([(json!({"other": 1}), "`name`: missing")]),
        SampleType::arguments::<Tree>("recursive arguments")
            .accepts([json!({"value": 1, "children": [{"value": 2}]})])
            .rejects([(json!({"value": 1, "children": [{}]}), "`children[0].value`: missing, expected an integer")]),
        SampleType::arguments::<Option<Strict>>("optional arguments")
            .accepts([json!({"min_score": 1})])
            .rejects([(json!({}), "`min_score`: missing")]),
    ]
}
