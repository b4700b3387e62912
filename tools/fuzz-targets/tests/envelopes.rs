//! Envelopes in all ways to write them in JSON. Fuzzing finds these only after a long time.

use proptest::prelude::*;

/// A key, unchanged or with its first letter escaped.
fn key() -> impl Strategy<Value = String> {
    let names = ["jsonrpc", "id", "method", "params", "result", "error", "i", "idx", "methods", "x", ""];
    (prop::sample::select(names.to_vec()), prop::bool::weighted(0.1)).prop_map(|(name, escaped)| {
        match name.chars().next().filter(|_| escaped) {
            Some(first) => format!("\\u{:04x}{}", first as u32, &name[1..]),
            None => name.to_owned(),
        }
    })
}

fn value() -> impl Strategy<Value = String> {
    let plain = [
        r#""2.0""#,
        r#""2\u002e0""#,
        "1",
        "-7",
        "0",
        "00",
        "1.5",
        "18446744073709551616",
        "null",
        "true",
        r#""ping""#,
        r#""tools\/call""#,
        r#""é""#,
        "{}",
        "[]",
        r#"{"name": "add"}"#,
        r#"{"name":"add","arguments":{"a":1,"b":[{}]}}"#,
        r#"{"n\u0061me":"a","name":"b"}"#,
        r#"{ "name" : "a" , "_meta" : { } }"#,
        r#"{"name":null}"#,
        "",
    ];
    prop::sample::select(plain.to_vec()).prop_map(str::to_owned)
}

/// Whitespace, nearly always none.
fn space() -> impl Strategy<Value = String> {
    prop_oneof![8 => Just(String::new()), 1 => "[ \t\n\r]{1,2}"]
}

prop_compose! {
    fn member()(before in space(), key in key(), between in space(), after in space(), value in value(), end in space()) -> String {
        format!("{before}\"{key}\"{between}:{after}{value}{end}")
    }
}

/// The members of a request in any order, with other members among them.
fn members() -> impl Strategy<Value = Vec<String>> {
    let request = vec![
        r#""jsonrpc":"2.0""#.to_owned(),
        r#""id":7"#.to_owned(),
        r#""method":"tools/call""#.to_owned(),
        r#""params":{"name":"add","arguments":{"a":1}}"#.to_owned(),
    ];
    prop_oneof![
        prop::collection::vec(member(), 0..6),
        (Just(request).prop_shuffle(), prop::collection::vec(member(), 0..2)).prop_map(|(mut request, more)| {
            request.extend(more);
            request
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn an_envelope_is_parsed_as_by_serde_json(members in members(), start in space(), end in space()) {
        let line = format!("{start}{{{}}}{end}", members.join(","));
        fuzz_targets::envelope(line.as_bytes());
    }
}
