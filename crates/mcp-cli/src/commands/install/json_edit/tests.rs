use serde_json::json;

use super::*;

fn edit(text: &str) -> String {
    with_entry(text, "mcpServers", "calc", &json!({"command": "/bin/calc"})).unwrap()
}

#[test]
fn nothing_becomes_a_file_with_one_entry() {
    for empty in ["", " \n"] {
        let text = edit(empty);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!({"mcpServers": {"calc": {"command": "/bin/calc"}}}));
    }
}

#[test]
fn what_is_there_stays_word_for_word() {
    let before = "{\n\t// mine\n\t\"zebra\": 1, \"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"}, /* keep */\n\t},\n\t\"apple\": [1,2,],\n}\n";
    let after = edit(before);
    for part in ["// mine", "\"zebra\": 1, ", "\"other\": {\"command\": \"x\"}, ", " /* keep */", "\"apple\": [1,2,],"] {
        assert!(after.contains(part), "no {part} in {after}");
    }
    assert!(after.contains("\n\t\t\"calc\": {\n\t\t\t\"command\": \"/bin/calc\"\n\t\t}"), "{after}");
    assert_eq!(edit(&after), after, "and a second time nothing changes");
}

#[test]
fn every_shape_of_file_gets_the_entry_and_keeps_the_rest() {
    for before in [
        r#"{}"#,
        r#"{"a":1}"#,
        r#"{"mcpServers":{}}"#,
        r#"{"mcpServers": {"x": {"command": "y", "args": ["}", "\"{"]}}, "z": null}"#,
        "{\n  \"mcpServers\": {\n    \"calc\": {\"command\": \"old\"},\n    \"x\": {}\n  }\n}",
        "{\r\n    \"mcpServers\": {\r\n        \"x\": {}\r\n    }\r\n}\r\n",
    ] {
        let after = edit(before);
        let (mut was, is): (Value, Value) = (
            serde_json::from_str(before).unwrap(),
            serde_json::from_str(&after).unwrap_or_else(|error| panic!("{error}: {after}")),
        );
        was["mcpServers"]["calc"] = json!({"command": "/bin/calc"});
        assert_eq!(is, was, "{before}");
    }
}

#[test]
fn a_file_that_cannot_be_understood_is_not_touched() {
    let entry = json!({});
    let edit = |text| with_entry(text, "servers", "calc", &entry).unwrap_err();
    assert_eq!(edit("{\"a\": tru}"), EditError::NotJson { at: 6 });
    assert_eq!(edit("{\"a\": 1"), EditError::NotJson { at: 7 });
    assert_eq!(edit("{} x"), EditError::NotJson { at: 3 });
    assert_eq!(edit("{\"a\": 1 \"b\": 2}"), EditError::NotJson { at: 8 });
    assert_eq!(edit("[]"), EditError::NotAnObject { key: String::new() });
    assert_eq!(edit("{\"servers\": []}"), EditError::NotAnObject { key: "servers".into() });
}

#[test]
fn letters_beyond_ascii_and_escapes_do_not_confuse_it() {
    let before = "{\"gr\\u00fc\\\"n\": \"größe // no comment\", \"mcpServers\": {\"c\\u0061lc\": 1}}";
    let after: Value = serde_json::from_str(&edit(before)).unwrap();
    assert_eq!(after, json!({"grü\"n": "größe // no comment", "mcpServers": {"calc": {"command": "/bin/calc"}}}));
}
