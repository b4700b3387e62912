//! Arguments of a tool call from the command line: `a=2 address.city=Bern tags[]=x points[0].x=1 text=@file '{"a": 2}'`.

mod path;

use std::fs;
use std::io::Read;

use mcp_cli::parts::{items, resolved, types};
use serde_json::{Map, Value, json};

use self::path::{Path, Step};

/// Converts the words of a command line to the arguments of a tool. `schema` is the input schema, from which values get their types.
///
/// A word is `path=value`, or a JSON object, or `@file` with a JSON object. A value `@file` is the content of a file, `@-` is
/// standard input, and `@@` is a text that starts with `@`. A path overrides the same value of an object.
pub(super) fn arguments(schema: &Value, words: &[String]) -> Result<Map<String, Value>, String> {
    let mut arguments = json!({});
    let (mut reader, mut given) = (Reader::default(), Vec::new());
    for word in words {
        if word.starts_with(['{', '@']) {
            let text = reader.text(word)?;
            let object: Map<String, Value> = serde_json::from_str(&text)
                .map_err(|error| format!("the arguments `{}` are not a JSON object: {error}", shortened(word)))?;
            arguments.as_object_mut().expect("it is an object").extend(object);
            continue;
        }
        let (name, text) =
            word.split_once('=').ok_or_else(|| format!("`{}` is not an argument: write name=value", shortened(word)))?;
        let path = Path::parse(name, &schema["properties"])?;
        let text = reader.text(text)?;
        let place = schema_at(schema, schema, &path.steps);
        let is_inside = |other: &&str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', '[']));
        if given.iter().any(is_inside) {
            return Err(format!("`{name}` is given as a whole and in parts"));
        }
        let is_first = !given.contains(&name);
        given.push(name);
        insert(&mut arguments, name, &path.steps, value(&text, schema, place), is_first)?;
    }
    match arguments {
        Value::Object(arguments) => Ok(arguments),
        _ => Err("the arguments are not an object".to_owned()),
    }
}

/// Sets the value at a path of the arguments. `is_first`: the command line has not given this path before. If
/// it has, both values must be lists, and the elements of the second are appended to the first.
fn insert(tree: &mut Value, name: &str, steps: &[Step], value: Value, is_first: bool) -> Result<(), String> {
    let mut place = tree;
    for step in steps {
        place = match step {
            Step::Member(member) => {
                let object = if place.is_null() { json!({}) } else { place.take() };
                *place = object;
                let object = place.as_object_mut();
                let object = object.ok_or_else(|| format!("`{name}`: the value before `.{member}` is not an object"))?;
                object.entry(member.as_str()).or_insert(Value::Null)
            }
            Step::Element(index) => {
                let list = if place.is_null() { json!([]) } else { place.take() };
                *place = list;
                let list = place.as_array_mut().ok_or_else(|| format!("`{name}`: the value before `[` is not a list"))?;
                let index = index.unwrap_or(list.len());
                if index > list.len() {
                    return Err(format!("`{name}`: element {index} follows element {}", list.len()));
                }
                if index == list.len() {
                    list.push(Value::Null);
                }
                &mut list[index]
            }
        };
    }
    match (place, value) {
        (Value::Array(list), Value::Array(more)) if !is_first => list.extend(more),
        (place, value) if is_first || place.is_null() => *place = value,
        _ => return Err(format!("`{name}` is given twice, but it is not a list")),
    }
    Ok(())
}

/// Returns the schema of the value at a path. `null` if the schema does not say.
fn schema_at<'a>(root: &'a Value, schema: &'a Value, steps: &[Step]) -> &'a Value {
    steps.iter().fold(schema, |schema, step| child(root, schema, step, 8))
}

fn child<'a>(root: &'a Value, schema: &'a Value, step: &Step, depth: usize) -> &'a Value {
    let schema = resolved(root, schema);
    let found = match step {
        Step::Member(name) => schema["properties"].get(name).or_else(|| schema.get("additionalProperties")),
        Step::Element(_) => schema.get("items"),
    };
    if let (None, 1..) = (found, depth) {
        let choices = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|keyword| schema[keyword].as_array()).flatten();
        let mut choices = choices.map(|choice| child(root, choice, step, depth - 1));
        return choices.find(|found| !found.is_null()).unwrap_or(&Value::Null);
    }
    found.unwrap_or(&Value::Null)
}

/// Converts a text to a value of a type that the schema allows. A single element of a list may be given without brackets.
fn value(text: &str, root: &Value, schema: &Value) -> Value {
    let value = one(text, root, schema);
    let is_list = types(root, schema).iter().any(|name| name == "array");
    if is_list && !value.is_array() && !value.is_null() { json!([one(text, root, items(root, schema))]) } else { value }
}

/// Parses the text as JSON if the schema allows a value of that type. Otherwise returns it as a string.
fn one(text: &str, root: &Value, schema: &Value) -> Value {
    let types = types(root, schema);
    let allows = |name: &str| types.is_empty() || types.iter().any(|allowed| allowed == name);
    match serde_json::from_str::<Value>(text) {
        Ok(json) if json.is_string() && allows("string") && !types.is_empty() => json!(text),
        Ok(json) if fits(&json, &allows) || !allows("string") => json,
        _ => json!(text),
    }
}

fn fits(json: &Value, allows: &impl Fn(&str) -> bool) -> bool {
    match json {
        Value::Null => allows("null"),
        Value::Bool(_) => allows("boolean"),
        Value::Number(number) => allows("number") || (!number.is_f64() && allows("integer")),
        Value::String(_) => allows("string"),
        Value::Array(_) => allows("array"),
        Value::Object(_) => allows("object"),
    }
}

/// Reads values from files and standard input.
#[derive(Debug, Default)]
struct Reader {
    /// Standard input was read.
    input_used: bool,
}

impl Reader {
    fn text(&mut self, text: &str) -> Result<String, String> {
        match text.strip_prefix('@') {
            None => Ok(text.to_owned()),
            Some(plain) if plain.starts_with('@') => Ok(plain.to_owned()),
            Some("-") => {
                if std::mem::replace(&mut self.input_used, true) {
                    return Err("`@-` is given twice, but standard input can be read only once".to_owned());
                }
                let mut all = String::new();
                let read = std::io::stdin().read_to_string(&mut all);
                read.map(|_| all).map_err(|error| format!("cannot read standard input as text: {error}"))
            }
            Some(file) => fs::read_to_string(file)
                .map_err(|error| format!("cannot read `{file}` as text: {error} (for a text that starts with @, write @@)")),
        }
    }
}

fn shortened(word: &str) -> String {
    match word.char_indices().nth(60) {
        Some((end, _)) => format!("{}..", &word[..end]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Value, String> {
        let schema = json!({"properties": {
            "a": {"type": "integer"}, "s": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}},
            "n": {"type": ["string", "null"]}, "a.b": {"type": "string"},
            "place": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
            "points": {"type": "array", "items": {"properties": {"x": {"type": "number"}, "name": {"type": "string"}}}},
            "any": {}
        }, "$defs": {"Place": {"type": "object", "properties": {"zip": {"type": "string"}, "floor": {"type": "integer"}}}}});
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        arguments(&schema, &words).map(Value::Object)
    }

    #[test]
    fn paths_make_nested_values_of_the_types_in_the_schema() {
        for (words, expected) in [
            (&["a=2", "s=3", "n=null"][..], json!({"a": 2, "s": "3", "n": null})),
            (&["place.zip=0123", "place.floor=4"], json!({"place": {"zip": "0123", "floor": 4}})),
            (&["l[]=1", "l[]=2"], json!({"l": ["1", "2"]})),
            (&["l=1", "l=2"], json!({"l": ["1", "2"]})),
            (&[r#"l=["x"]"#, "l=y"], json!({"l": ["x", "y"]})),
            (
                &["points[0].x=1.5", "points[0].name=7", "points[].x=2"],
                json!({"points": [{"x": 1.5, "name": "7"}, {"x": 2}]}),
            ),
            (&["a.b=x", "s=\"q\""], json!({"a.b": "x", "s": "\"q\""})),
            (&["any.deep[0][]=true", "any.text=hi"], json!({"any": {"deep": [[true]], "text": "hi"}})),
            (
                &[r#"{"a": 1, "l": ["x"], "place": {"zip": "1"}}"#, "a=2", "l=y", "place.floor=1"],
                json!({"a": 2, "l": ["y"], "place": {"zip": "1", "floor": 1}}),
            ),
            (&[r#"{"a": 1, "s": "x"}"#, "place={\"floor\": 1}"], json!({"a": 1, "s": "x", "place": {"floor": 1}})),
            (&["s=@@ada", "a=two"], json!({"s": "@ada", "a": "two"})),
        ] {
            assert_eq!(read(words), Ok(expected), "{words:?}");
        }
    }

    #[test]
    fn files_are_read_and_faults_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.json");
        fs::write(&file, r#"{"a": 5}"#).unwrap();
        let file = file.display();
        assert_eq!(read(&[&format!("s=@{file}")]), Ok(json!({"s": "{\"a\": 5}"})));
        assert_eq!(read(&[&format!("place=@{file}")]), Ok(json!({"place": {"a": 5}})));
        assert_eq!(read(&[&format!("@{file}")]), Ok(json!({"a": 5})));
        for (words, fault) in [
            (&["oops"][..], "name=value"),
            (&["{"], "not a JSON object: EOF"),
            (&["a=1", "a=2"], "`a` is given twice"),
            (&["a=1", "a.c=2"], "is not an object"),
            (&["any.x=1", "any={}"], "as a whole and in parts"),
            (&["s=x", "s[]=y"], "is not a list"),
            (&["l[2]=x"], "element 2 follows element 0"),
            (&["l[x]=1"], "`l[x]` is not a path"),
            (&["=1"], "is not a path"),
            (&["s=@/no/such/file"], "write @@"),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(fault), "{words:?}: {error}");
        }
    }
}
