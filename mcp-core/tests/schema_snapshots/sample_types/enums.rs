//! Enums in every representation that serde supports.
#![allow(dead_code)]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::SampleType;

#[derive(Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Plain {
    First,
    SecondOne,
}

/// Order of the results.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Documented {
    /// lowest first
    Asc,
    /// highest first,
    /// and ties by name
    Desc,
    None,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum External {
    Nothing,
    Circle(f64),
    Rect { width: f64, height: f64 },
    Line(f64, f64),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Internal {
    Circle { radius: f64 },
    Square { side: f64 },
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "type", content = "data")]
enum Adjacent {
    Text(String),
    Count(u32),
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Text(String),
    List(Vec<String>),
}

#[derive(Deserialize, JsonSchema)]
enum Expr {
    Number(f64),
    Add(Box<Expr>, Box<Expr>),
    Not { of: Box<Expr> },
}

#[derive(Deserialize, JsonSchema)]
struct Both {
    first: Plain,
    second: Option<Plain>,
}

pub(crate) fn all() -> Vec<SampleType> {
    let mut all = words();
    all.extend(forms());
    all
}

fn words() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<Plain>("enum of words").accepts([json!("first"), json!("second_one")]).rejects([
            (json!("third"), "expected one of \"first\", \"second_one\", got the string \"third\""),
            (json!("SecondOne"), "did you mean \"second_one\"?"),
            (json!({"first": null}), "expected one of"),
            (json!(0), "expected"),
        ]),
        SampleType::parameter::<Option<Plain>>("optional enum of words")
            .accepts([json!("first")])
            .also_accepts([json!(null)])
            .rejects([(json!("frist"), "did you mean \"first\"?")]),
        SampleType::parameter::<Documented>("enum of words with docs")
            .accepts([json!("asc"), json!("none")])
            .rejects([(json!("up"), "expected one of \"none\", \"asc\", \"desc\", got the string \"up\"")]),
        SampleType::parameter::<Option<Documented>>("optional enum of words with docs")
            .accepts([json!("desc")])
            .also_accepts([json!(null)])
            .rejects([(json!("ASC!"), "did you mean \"asc\"?")]),
        SampleType::parameter::<Vec<Plain>>("list of words")
            .accepts([json!(["first", "first"])])
            .rejects([(json!(["first", "x"]), "`value[1]`: expected one of")]),
        SampleType::parameter::<BTreeMap<Plain, u8>>("map from words")
            .accepts([json!({"first": 1})])
            .rejects([(json!({"frst": 1}), "`value.frst`: unknown; did you mean `first`?")]),
        SampleType::parameter::<Both>("one enum used twice")
            .accepts([json!({"first": "first"})])
            .rejects([(json!({}), "`value.first`: missing")]),
    ]
}

#[allow(clippy::too_many_lines, reason = "a list of cases")]
fn forms() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<External>("externally tagged enum")
            .accepts([
                json!("nothing"),
                json!({"circle": 1.5}),
                json!({"rect": {"width": 1, "height": 2}}),
                json!({"line": [1, 2]}),
            ])
            .rejects([
                (json!({"circle": "big"}), "`value.circle`: expected a number, got the string \"big\""),
                (json!({"rect": {"width": 1}}), "`value.rect.height`: missing, expected a number"),
                (
                    json!({"oval": 1}),
                    "`value`: expected one of \"nothing\", or an object with `circle`, or an object with `rect`",
                ),
                (json!({"nothing": null}), "`value`: expected"),
                (json!({"circle": 1, "rect": {"width": 1, "height": 1}}), "`value"),
            ]),
        SampleType::parameter::<Internal>("internally tagged enum")
            .accepts([json!({"kind": "circle", "radius": 1}), json!({"kind": "nothing"})])
            .rejects([
                (
                    json!({"kind": "cube"}),
                    "`value.kind`: expected one of \"circle\", \"square\", \"nothing\", got the string \"cube\"",
                ),
                (json!({"kind": "circel"}), "did you mean \"circle\"?"),
                (json!({"kind": "circle"}), "`value.radius`: missing, expected a number"),
                (json!({"kind": "square", "side": "x"}), "`value.side`: expected a number, got the string \"x\""),
                (json!({"radius": 1}), "`value"),
            ]),
        SampleType::parameter::<Option<Internal>>("optional internally tagged enum")
            .accepts([json!({"kind": "nothing"})])
            .also_accepts([json!(null)])
            .rejects([(
                json!({"kind": "circle", "radius": true}),
                "`value.radius`: expected a number, got the boolean true",
            )]),
        SampleType::parameter::<Adjacent>("adjacently tagged enum")
            .accepts([
                json!({"type": "Text", "data": "a"}),
                json!({"type": "Nothing"}),
                json!({"type": "Count", "data": 3.0}),
            ])
            .rejects([
                (json!({"type": "Text", "data": 1}), "`value.data`: expected a string, got the number 1"),
                (json!({"type": "Image"}), "`value.type`: expected one of \"Text\", \"Count\", \"Nothing\""),
            ]),
        SampleType::parameter::<Untagged>("untagged enum").accepts([json!(1), json!("a"), json!(["a"])]).rejects([
            (json!(1.5), "`value`: expected an integer, or a string, or an array, got the number 1.5"),
            (json!(["a", 1]), "`value[1]`: expected a string, got the number 1"),
        ]),
        SampleType::parameter::<Expr>("recursive enum")
            .accepts([json!({"Add": [{"Number": 1}, {"Not": {"of": {"Number": 2}}}]})])
            .rejects([
                (
                    json!({"Add": [{"Number": 1}, {"Not": {"of": {"Number": "2"}}}]}),
                    "`value.Add[1].Not.of.Number`: expected a number",
                ),
                (json!({"Add": [{"Number": 1}]}), "`value.Add`: expected at least 2 items"),
            ]),
        SampleType::parameter::<Result<u8, String>>("Result<u8, String>")
            .accepts([json!({"Ok": 1}), json!({"Err": "a"})])
            .rejects([(json!({"Ok": "a"}), "`value.Ok`: expected an integer")]),
    ]
}
