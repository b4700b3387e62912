use serde_json::json;

use super::*;

fn edit(text: &str) -> String {
    with_entry(text, "mcpServers", "calc", &json!({"command": "/bin/calc"})).unwrap()
}

#[test]
fn an_empty_file_gets_one_entry() {
    for empty in ["", " \n"] {
        let text = edit(empty);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!({"mcpServers": {"calc": {"command": "/bin/calc"}}}));
    }
}

#[test]
fn comments_order_and_formatting_are_kept() {
    let before = "{\n\t// mine\n\t\"zebra\": 1, \"mcpServers\": {\n\t\t\"other\": {\"command\": \"x\"}, /* keep */\n\t},\n\t\"apple\": [1,2,],\n}\n";
    let after = edit(before);
    for part in ["// mine", "\"zebra\": 1, ", "\"other\": {\"command\": \"x\"}, ", " /* keep */", "\"apple\": [1,2,],"] {
        assert!(after.contains(part), "no {part} in {after}");
    }
    assert!(after.contains("\n\t\t\"calc\": {\n\t\t\t\"command\": \"/bin/calc\",\n\t\t}"), "{after}");
    assert_eq!(edit(&after), after, "a second edit changes nothing");
}

#[test]
fn the_entry_is_added_to_files_of_every_layout() {
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
fn an_invalid_file_is_an_error_with_its_position() {
    let edit = |text| with_entry(text, "servers", "calc", &json!({})).unwrap_err();
    for (text, expected) in [
        ("{\"a\": tru}", (1, 7)),
        ("{\"a\": 1", (1, 1)),
        ("{} x", (1, 4)),
        ("{\n\"a\": 1 \"b\": 2}", (2, 7)),
        ("{a: 1}", (1, 2)),
    ] {
        let EditError::Syntax { line, column, .. } = edit(text) else { panic!("{text} was accepted") };
        assert_eq!((line, column), expected, "{text}");
    }
    assert_eq!(edit("[]"), EditError::NotAnObject { key: String::new() });
    assert_eq!(edit("{\"servers\": []}"), EditError::NotAnObject { key: "servers".into() });
}

#[test]
fn keys_with_escapes_and_non_ascii_text_are_compared_decoded() {
    let before = "{\"gr\\u00fc\\\"n\": \"größe // no comment\", \"mcpServers\": {\"c\\u0061lc\": 1}}";
    let after: Value = serde_json::from_str(&edit(before)).unwrap();
    assert_eq!(after, json!({"grü\"n": "größe // no comment", "mcpServers": {"calc": {"command": "/bin/calc"}}}));
}

#[test]
fn a_byte_order_mark_and_control_characters_are_kept() {
    let entry = json!({"command": "a\u{1}\t\"\\\n"});
    let after = with_entry("\u{feff}{}", "servers", "calc\n", &entry).unwrap();
    let json: Value = serde_json::from_str(after.strip_prefix('\u{feff}').unwrap()).unwrap();
    assert_eq!(json, json!({"servers": {"calc\n": entry}}));
}

#[test]
fn of_duplicate_entries_the_last_one_is_replaced() {
    let after = edit(r#"{"mcpServers": {"calc": 1, "calc": 2}}"#);
    assert!(after.contains(r#""calc": 1"#) && !after.contains(r#""calc": 2"#), "{after}");
}

#[test]
fn a_removed_entry_leaves_the_rest_as_it_was() {
    for (before, after) in [
        ("{\n  // mine\n  \"z\": 1,\n  \"mcpServers\": {\n    \"x\": {}, // other\n    \"calc\": {}\n  }\n}\n", "// other"),
        ("{\"mcpServers\": {\"calc\": {\"a\": [1]}, \"x\": 1}, \"a\": 2}", "\"x\": 1}, \"a\": 2}"),
        ("\u{feff}{\"mcpServers\": {\"calc\": 1, \"calc\": 2, \"x\": {}}}", "\"x\": {}"),
    ] {
        let text = without_entry(before, "mcpServers", "calc").unwrap();
        assert!(text.contains(after) && !text.contains("calc"), "{text}");
        assert_eq!(entry(&text, "mcpServers", "calc"), Ok(None), "{text}");
        assert!(entry(&text, "mcpServers", "x").unwrap().is_some(), "{text}");
        assert_eq!(without_entry(&text, "mcpServers", "calc").unwrap(), text);
    }
    let added = edit("{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n");
    let removed = without_entry(&added, "mcpServers", "calc").unwrap();
    assert_eq!(removed, "{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n");
}
