//! Options, lists, sets, arrays, tuples and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use serde_json::{Map, Value, json};

use super::SampleType;

pub(crate) fn all() -> Vec<SampleType> {
    let mut all = lists();
    all.extend(maps());
    all.extend(anything());
    all
}

fn lists() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<Option<u32>>("Option<u32>")
            .accepts([json!(1), json!(2.0)])
            .also_accepts([json!(null)])
            .rejects([(json!("1"), "`value`: expected an integer, got the string"), (json!(-1), "at least 0")]),
        SampleType::parameter::<Option<String>>("Option<String>")
            .accepts([json!("a")])
            .also_accepts([json!(null)])
            .rejects([(json!(1), "expected a string, got")]),
        SampleType::parameter::<Option<Vec<String>>>("Option<Vec<String>>")
            .accepts([json!([]), json!(["a"])])
            .also_accepts([json!(null)])
            .rejects([(json!([null]), "`value[0]`: expected a string, got null")]),
        SampleType::parameter::<Vec<i64>>("Vec<i64>").accepts([json!([]), json!([1, 2.0])]).rejects([
            (json!([1, "2"]), "`value[1]`: expected an integer"),
            (json!(1), "expected an array"),
            (json!({}), "an array"),
        ]),
        SampleType::parameter::<Vec<Option<bool>>>("Vec<Option<bool>>")
            .accepts([json!([true, null])])
            .rejects([(json!([0]), "`value[0]`: expected a boolean")]),
        SampleType::parameter::<Vec<Vec<f64>>>("Vec<Vec<f64>>")
            .accepts([json!([[1.5], []])])
            .rejects([(json!([[1], [2, "x"]]), "`value[1][1]`: expected a number")]),
        SampleType::parameter::<VecDeque<u8>>("VecDeque<u8>").accepts([json!([1])]).rejects([(json!([256]), "at most 255")]),
        SampleType::parameter::<HashSet<String>>("HashSet<String>")
            .accepts([json!(["a", "b"])])
            .rejects([(json!(["a", "a"]), "all different")]),
        SampleType::parameter::<BTreeSet<u8>>("BTreeSet<u8>")
            .accepts([json!([2, 1])])
            .rejects([(json!([1, 1.0]), "all different")]),
        SampleType::parameter::<[i32; 3]>("[i32; 3]").accepts([json!([1, 2, 3])]).rejects([
            (json!([1, 2]), "at least 3 items, got an array of 2 items"),
            (json!([1, 2, 3, 4]), "at most 3 items"),
        ]),
        SampleType::parameter::<(String, u8)>("(String, u8)")
            .accepts([json!(["a", 1])])
            .rejects([(json!(["a"]), "at least 2 items"), (json!([1, "a"]), "`value[1]`: expected an integer")]),
        SampleType::parameter::<Box<[u16]>>("Box<[u16]>").accepts([json!([1])]).rejects([(json!([-1]), "at least 0")]),
    ]
}

fn maps() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<HashMap<String, i64>>("HashMap<String, i64>")
            .accepts([json!({}), json!({"a": 1, "b b": 2.0})])
            .rejects([
                (json!({"a": "1"}), "`value.a`: expected an integer"),
                (json!([]), "expected an object, got an empty array"),
            ]),
        SampleType::parameter::<BTreeMap<String, Option<String>>>("BTreeMap<String, Option<String>>")
            .accepts([json!({"a": null, "b": "c"})])
            .rejects([(json!({"odd key": 1}), "`value[\"odd key\"]`: expected a string")]),
        SampleType::parameter::<BTreeMap<String, Vec<u8>>>("BTreeMap<String, Vec<u8>>")
            .accepts([json!({"a": [1]})])
            .rejects([(json!({"a": [1, 300]}), "`value.a[1]`: expected at most 255, got the number 300")]),
        SampleType::parameter::<BTreeMap<u16, String>>("BTreeMap<u16, String>")
            .accepts([json!({"1": "a"})])
            .rejects([(json!({"x": "a"}), "`value.x`: unknown")])
            .rejects_when_decoding([(json!({"70000": "a"}), "`value")]),
        SampleType::parameter::<HashMap<String, HashMap<String, bool>>>("HashMap<String, HashMap<String, bool>>")
            .accepts([json!({"a": {"b": true}})])
            .rejects([(json!({"a": {"b": 1}}), "`value.a.b`: expected a boolean")]),
    ]
}

fn anything() -> Vec<SampleType> {
    vec![
        SampleType::parameter::<Value>("Value")
            .accepts([json!(null), json!({"a": [1, 1.0]}), json!("x")])
            .rejects_arguments([(json!({}), "`value`: missing"), (json!({"value": 1, "val": 2}), "`val`: unknown")]),
        SampleType::parameter::<Option<Value>>("Option<Value>")
            .accepts([json!(null), json!([1])])
            .rejects_arguments([(json!({"vale": 1}), "`vale`: unknown; did you mean `value`?")]),
        SampleType::parameter::<Map<String, Value>>("Map<String, Value>")
            .accepts([json!({}), json!({"a": null})])
            .rejects([(json!([1]), "expected an object")]),
        SampleType::parameter::<Vec<Value>>("Vec<Value>")
            .accepts([json!([1, null, {}])])
            .rejects([(json!({}), "expected an array")]),
        SampleType::parameter::<serde_json::Number>("Number")
            .accepts([json!(1), json!(1.5)])
            .rejects([(json!("1"), "a number")]),
        SampleType::arguments::<Map<String, Value>>("all arguments as a map")
            .accepts([json!({}), json!({"a": 1})])
            .rejects([(json!([]), "object")]),
    ]
}
