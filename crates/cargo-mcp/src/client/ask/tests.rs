//! Tests of questions with a scripted person.

use std::collections::VecDeque;

use serde_json::json;

use super::*;

#[derive(Default)]
struct Script {
    typed: VecDeque<&'static str>,
    shown: String,
    opened: Vec<String>,
}

impl Dialog for Script {
    fn show(&mut self, text: &str) -> io::Result<()> {
        self.shown += &harmless(text);
        Ok(())
    }

    fn line(&mut self, prompt: &str) -> io::Result<String> {
        self.show(prompt)?;
        self.typed.pop_front().map(str::to_owned).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn open(&mut self, url: &Url) -> io::Result<()> {
        self.opened.push(url.to_string());
        Ok(())
    }
}

/// Elicitations cannot be built outside of their crate, so they are asked by parts.
fn fill(schema: &Value, typed: &[&'static str]) -> (io::Result<Map<String, Value>>, String) {
    let mut script = Script { typed: typed.iter().copied().collect(), ..Script::default() };
    let filled = form::fill(&mut script, schema);
    (filled, script.shown)
}

#[test]
fn every_kind_of_field_is_read_and_checked() {
    let schema = json!({"required": ["mail", "age"], "properties": {
        "age": {"type": "integer", "minimum": 18},
        "agree": {"type": "boolean"},
        "colour": {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}]},
        "mail": {"type": "string", "format": "email", "title": "Mail", "description": "where to\nwrite"},
        "pets": {"type": "array", "items": {"type": "string", "enum": ["cat", "dog"]}},
        "size": {"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"], "default": "l"},
    }});
    let typed = ["x", "", "17", "18", "maybe", "y", "3", "2", "nobody", "a@example.com", "2, cat", ""];
    let (answers, shown) = fill(&schema, &typed);
    let expected =
        json!({"age": 18, "agree": true, "colour": "b", "mail": "a@example.com", "pets": ["dog", "cat"], "size": "l"});
    assert_eq!(Value::Object(answers.unwrap()), expected, "{shown}");
    for part in [
        "`x` is not a whole number.",
        "This field is required.",
        "17 is less than the minimum of 18.",
        "Type yes or no.",
        "  1) Red\n  2) Blue\n",
        "`3` is not a choice: type a number from 1 to 2.",
        "Mail (mail): where to write\n  [text: email, required]",
        "[a number, default Large]\n  1) Small\n",
    ] {
        assert!(shown.contains(part), "{part:?} is missing in:\n{shown}");
    }
}

#[test]
fn the_end_of_the_input_stops_the_form() {
    let schema = json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    assert!(fill(&schema, &["x"]).0.is_err());
    assert_eq!(Value::Object(fill(&schema, &["x", ""]).0.unwrap()), json!({"a": "x"}));
}

#[test]
fn keywords_that_could_make_validation_slow_are_ignored() {
    let schema = json!({"properties": {"a": {"type": "string", "pattern": "^(a+)+$", "minLength": 2}}});
    let (answers, shown) = fill(&schema, &["b", "bb"]);
    assert_eq!(Value::Object(answers.unwrap()), json!({"a": "bb"}), "{shown}");
}

#[test]
fn a_page_is_opened_only_after_its_address_was_shown_and_the_user_agreed() {
    for (url, typed, accepted) in [
        ("https://example.com/pay?id=1", &["what", "y"][..], true),
        ("https://example.com/", &[""], false),
        ("https://example.com/", &["n"], false),
        ("javascript:alert(1)", &["y"], false),
        ("file:///etc/passwd", &["y"], false),
    ] {
        let mut script = Script { typed: typed.iter().copied().collect(), ..Script::default() };
        let answer = visit(&mut script, url).unwrap();
        assert_eq!(matches!(answer, Elicited::Accepted(_)), accepted, "{url}");
        assert_eq!(script.opened.len(), usize::from(accepted), "{url}");
        assert!(script.shown.contains(url), "{}", script.shown);
    }
}
