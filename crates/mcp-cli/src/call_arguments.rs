//! Converts `a=2 b=3` to the arguments of a tool call.

use serde_json::{Map, Value, json};

use crate::schema::types;
use crate::text_source;

/// Converts command-line arguments to tool arguments, with the types of the tool's input schema.
///
/// Each is a JSON object (`{..}`, `@FILE`, or `-` for standard input) or of the form `name=value`, where the value may be in a
/// file too (`name=@FILE`). A `name=value` overrides the same name in an object.
pub(crate) fn call_arguments(schema: &Value, words: &[String]) -> Result<Value, String> {
    let mut arguments = Map::new();
    let mut given: Vec<(&str, Vec<String>)> = Vec::new();
    for word in words {
        if let Some(object) = text_source::object(word) {
            arguments.extend(object?);
            continue;
        }
        let (name, text) = word.split_once('=').ok_or_else(|| {
            format!("`{word}` is not an argument: write name=value, a JSON object, @FILE, or - for standard input")
        })?;
        let text = text_source::text(name, text)?;
        match given.iter_mut().find(|(known, _)| *known == name) {
            Some((_, texts)) => texts.push(text),
            None => given.push((name, vec![text])),
        }
    }
    for (name, texts) in given {
        arguments.insert(name.to_owned(), argument(name, &texts, schema)?);
    }
    Ok(Value::Object(arguments))
}

/// Converts the values of one argument. Several values make an array.
fn argument(name: &str, texts: &[String], root: &Value) -> Result<Value, String> {
    let schema = &root["properties"][name];
    let is_list = types::types(root, schema).iter().any(|name| name == "array");
    match texts {
        [text] => {
            let converted = value(name, text, root, schema)?;
            // A single element of an array may be given without brackets.
            let is_bare = is_list && converted.is_string();
            Ok(if is_bare { json!([value(name, text, root, types::items(root, schema))?]) } else { converted })
        }
        _ if is_list => texts.iter().map(|text| value(name, text, root, types::items(root, schema))).collect(),
        _ => Err(format!("`{name}` is given {} times, but it is not an array", texts.len())),
    }
}

/// Parses the text as JSON if the schema allows a value of that type. Otherwise returns it as a string.
fn value(name: &str, text: &str, root: &Value, schema: &Value) -> Result<Value, String> {
    let types = types::types(root, schema);
    let allows = |name: &str| types.is_empty() || types.iter().any(|allowed| allowed == name);
    match serde_json::from_str::<Value>(text) {
        Ok(json) if !json.is_string() && fits(&json, &allows) => Ok(json),
        Ok(json) if !allows("string") || (types.is_empty() && json.is_string()) => Ok(json),
        Err(error) if !allows("string") && text.starts_with(['{', '[']) => {
            Err(format!("`{name}` is not valid JSON: {}", text_source::located(text, &error)))
        }
        _ => Ok(json!(text)),
    }
}

fn fits(json: &Value, allows: &impl Fn(&str) -> bool) -> bool {
    let name = types::type_of(json);
    // Any number fits `number` and `integer`: whether 2.0 is an integer is decided when the tool validates its arguments.
    allows(name) || (json.is_number() && (allows("number") || allows("integer")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Value, String> {
        let schema = json!({"properties": {
            "a": {"type": "integer"}, "s": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}},
            "n": {"type": ["string", "null"]}, "e": {"$ref": "#/$defs/E"}, "b": {"type": "boolean"},
            "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "o": {"type": "object"}
        }, "$defs": {"E": {"enum": ["1", "2"]}}});
        call_arguments(&schema, &words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn values_get_the_type_that_the_schema_allows() {
        for (word, expected) in [
            ("a=2", json!({"a": 2})),
            ("a=two", json!({"a": "two"})),
            ("s=3", json!({"s": "3"})),
            ("s=a=b", json!({"s": "a=b"})),
            ("s=true", json!({"s": "true"})),
            ("n=null", json!({"n": null})),
            ("n=5", json!({"n": "5"})),
            ("e=1", json!({"e": "1"})),
            ("b=true", json!({"b": true})),
            ("either=5", json!({"either": 5})),
            ("either=five", json!({"either": "five"})),
            (r#"o={"x":1}"#, json!({"o": {"x": 1}})),
            ("unknown=doc", json!({"unknown": "doc"})),
            ("unknown=1", json!({"unknown": 1})),
            (r#"l=["x","y"]"#, json!({"l": ["x", "y"]})),
            ("l=x", json!({"l": ["x"]})),
        ] {
            assert_eq!(read(&[word]), Ok(expected), "{word}");
        }
    }

    #[test]
    fn an_argument_that_is_given_twice_becomes_an_array() {
        assert_eq!(read(&["l=x", "l=1"]), Ok(json!({"l": ["x", "1"]})));
        assert_eq!(read(&["a=1", "a=2"]), Err("`a` is given 2 times, but it is not an array".to_owned()));
    }

    #[test]
    fn json_objects_and_name_value_pairs_can_be_combined() {
        assert_eq!(read(&[r#"{"a":1,"s":"x"}"#, "a=2"]), Ok(json!({"a": 2, "s": "x"})));
        assert!(read(&["{"]).unwrap_err().contains("not valid JSON"));
        assert!(read(&["o={\"x\": 1,}"]).unwrap_err().starts_with("`o` is not valid JSON: trailing comma"));
        assert!(read(&["oops"]).unwrap_err().contains("name=value"));
    }
}
