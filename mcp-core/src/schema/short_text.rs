//! Short descriptions of values, names and paths for error messages.

use serde_json::Value;

/// The maximum number of characters of a value or a name.
const LONGEST: usize = 40;
/// The maximum number of names in a list.
const MAX_ITEMS: usize = 12;

/// Describes a value: its type, and its beginning.
pub(super) fn describe_value(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {}", cut(&value.to_string(), LONGEST)),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(items) if items.is_empty() => "an empty array".into(),
        Value::Array(items) => format!("an array of {}", counted(items.len() as u64, "item")),
        Value::Object(members) if members.is_empty() => "an empty object".into(),
        Value::Object(members) => format!("an object with {}", names(members.keys().map(String::as_str))),
    }
}

/// Formats a value as JSON, shortened.
pub(super) fn short_json(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) | Value::Object(_) => describe_value(value),
        scalar => cut(&scalar.to_string(), LONGEST),
    }
}

/// Formats text in quotation marks, shortened.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}... ({} characters)", &text[..end], text.chars().count()),
    }
}

/// Truncates text.
pub(super) fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// Formats names in backticks, shortened.
pub(super) fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    listed(names.map(|name| format!("`{}`", cut(name, LONGEST))), ", ")
}

/// Joins the first items and adds the number of the others.
pub(super) fn listed(mut items: impl Iterator<Item = String>, separator: &str) -> String {
    let shown: Vec<String> = items.by_ref().take(MAX_ITEMS).collect();
    match items.count() {
        0 => shown.join(separator),
        more => format!("{}{separator}and {more} more", shown.join(separator)),
    }
}

/// Formats a count with its noun: `1 item`, `2 items`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Formats a JSON pointer as a path such as `filter.terms[2].text`.
pub(super) fn path(root: &Value, pointer: &str) -> String {
    let mut path = String::new();
    let mut at = Some(root);
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let index: Option<usize> = at.filter(|value| value.is_array()).and_then(|_| segment.parse().ok());
        at = match (at, index) {
            (Some(value), Some(index)) => value.get(index),
            (value, _) => value.and_then(|value| value.get(&segment)),
        };
        match index {
            Some(index) => path += &format!("[{index}]"),
            None => push_key(&mut path, &segment),
        }
    }
    path
}

/// Appends a key to a path.
pub(super) fn push_key(path: &mut String, key: &str) {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'));
    if !plain {
        *path += &format!("[{}]", quoted(key));
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    *path += &cut(key, LONGEST);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_described_by_its_type_and_its_beginning() {
        for (value, description) in [
            (json!(null), "null"),
            (json!(true), "the boolean true"),
            (json!(-1.5), "the number -1.5"),
            (json!("a \"b\"\n"), r#"the string "a \"b\"\n""#),
            (json!([]), "an empty array"),
            (json!([1]), "an array of 1 item"),
            (json!({"a": 1, "b": 2}), "an object with `a`, `b`"),
        ] {
            assert_eq!(describe_value(&value), description);
        }
        let long = describe_value(&json!("é".repeat(1_000_000)));
        assert_eq!(long, format!("the string \"{}\"... (1000000 characters)", "é".repeat(40)));
        let many: Value = (0..100).map(|i| (format!("{i:02}"), json!(i))).collect::<serde_json::Map<_, _>>().into();
        assert!(describe_value(&many).ends_with("`11`, and 88 more"), "{}", describe_value(&many));
    }

    #[test]
    fn a_path_reads_like_code() {
        let root = json!({"filter": {"terms": [{"text": 1}], "0": 1, "odd key": 1, "a/b": 1}});
        for (pointer, read) in [
            ("", ""),
            ("/filter/terms/0/text", "filter.terms[0].text"),
            ("/filter/0", "filter.0"),
            ("/filter/odd key", "filter[\"odd key\"]"),
            ("/filter/a~1b", "filter[\"a/b\"]"),
            ("/gone/1", "gone.1"),
        ] {
            assert_eq!(path(&root, pointer), read);
        }
    }
}
