//! Adds an entry to a TOML file that people edit by hand, or removes it. Comments, order and formatting of the rest are kept.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, TomlError};

use super::edit_error::EditError;

/// Returns `text` with the table `[key.name]` set to `entry`.
pub(super) fn with_entry(text: &str, key: &str, name: &str, entry: &Value) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let servers = document.entry(key).or_insert_with(|| {
        // `[mcp_servers]` alone is not written: the tables in it are enough.
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or_else(|| EditError::NotAnObject { key: key.to_owned() })?;
    if servers.get(name).is_some_and(|old| as_json(old) == *entry) {
        return Ok(text.to_owned());
    }
    match servers.get_mut(name).and_then(Item::as_table_like_mut) {
        // The table keeps its place, its comments, and settings that `install` does not know, such as timeouts.
        Some(old) => replace(old, entry),
        None => drop(servers.insert(name, new_entry(entry))),
    }
    Ok(document.to_string())
}

/// Returns `text` without the table `[key.name]`.
pub(super) fn without_entry(text: &str, key: &str, name: &str) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(key) else {
        return Ok(text.to_owned());
    };
    let servers = servers.as_table_like_mut().ok_or_else(|| EditError::NotAnObject { key: key.to_owned() })?;
    let Some(removed) = servers.remove(name) else {
        return Ok(text.to_owned());
    };
    let empty = servers.is_empty();
    keep_comment_above(&mut document, key, empty, &removed);
    Ok(document.to_string())
}

/// Returns the table `[key.name]`.
pub(super) fn entry(text: &str, key: &str, name: &str) -> Result<Option<Value>, EditError> {
    let document = parse(text)?;
    let Some(servers) = document.get(key) else {
        return Ok(None);
    };
    let servers = servers.as_table_like().ok_or_else(|| EditError::NotAnObject { key: key.to_owned() })?;
    Ok(servers.get(name).map(as_json))
}

fn parse(text: &str) -> Result<DocumentMut, EditError> {
    text.parse().map_err(|error: TomlError| {
        let before = &text[..error.span().map_or(0, |span| text.floor_char_boundary(span.start))];
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        let reason = error.message().lines().collect::<Vec<_>>().join(", ");
        EditError::Syntax { format: "TOML", line: before.matches('\n').count() + 1, column, reason }
    })
}

/// A comment above a table belongs to the table for the parser. People also write comments there about what follows, so it moves to
/// the end of the file.
fn keep_comment_above(document: &mut DocumentMut, key: &str, empty: bool, removed: &Item) {
    let above = removed.as_table().and_then(|table| table.decor().prefix()).and_then(|text| text.as_str());
    let above = above.unwrap_or_default().trim().to_owned();
    if empty && document.get(key).and_then(Item::as_table).is_some_and(Table::is_implicit) {
        document.remove(key);
    }
    if !above.is_empty() {
        let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing(format!("{trailing}\n{above}\n"));
    }
}

/// Sets the values of `entry`, and removes `env` if the entry has none.
fn replace(table: &mut dyn TableLike, entry: &Value) {
    if entry.get("env").is_none() {
        table.remove("env");
    }
    for (name, value) in entry.as_object().into_iter().flatten() {
        if table.get(name).is_none_or(|old| as_json(old) != *value) {
            table.insert(name, Item::Value(value_of(value)));
        }
    }
}

fn new_entry(entry: &Value) -> Item {
    let mut table = Table::new();
    for (name, value) in entry.as_object().into_iter().flatten() {
        table.insert(name, Item::Value(value_of(value)));
    }
    Item::Table(table)
}

/// Converts a value. Entries have texts, lists and objects only.
fn value_of(value: &Value) -> toml_edit::Value {
    match value {
        Value::Array(items) => items.iter().map(value_of).collect::<Array>().into(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name, value_of(value))).collect::<InlineTable>().into()
        }
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

fn as_json(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return Value::Object(table.iter().map(|(name, item)| (name.to_owned(), as_json(item))).collect::<Map<_, _>>());
    }
    match item.as_value() {
        Some(toml_edit::Value::Array(items)) => items.iter().map(|item| as_json(&Item::Value(item.clone()))).collect(),
        Some(toml_edit::Value::String(text)) => text.value().as_str().into(),
        Some(toml_edit::Value::Boolean(flag)) => (*flag.value()).into(),
        Some(toml_edit::Value::Integer(number)) => (*number.value()).into(),
        Some(other) => other.to_string().trim().into(),
        None => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BEFORE: &str =
        "# mine\nmodel = \"x\" # the good one\n\n[mcp_servers.other]\ncommand = 'o'\n\n[tui]\nz = 1\na = 2\n";

    #[test]
    fn an_entry_is_added_and_removed_and_the_rest_keeps_its_bytes() {
        let entry = json!({"command": "/bin/calc", "args": ["a b"], "env": {"KEY": "\"v\""}});
        let after = with_entry(BEFORE, "mcp_servers", "calc", &entry).unwrap();
        assert_eq!(super::entry(&after, "mcp_servers", "calc"), Ok(Some(entry.clone())), "{after}");
        for part in
            ["# mine\nmodel = \"x\" # the good one\n", "[mcp_servers.other]\ncommand = 'o'\n", "[tui]\nz = 1\na = 2\n"]
        {
            assert!(after.contains(part), "no {part} in {after}");
        }
        assert_eq!(with_entry(&after, "mcp_servers", "calc", &entry).unwrap(), after);
        assert_eq!(without_entry(&after, "mcp_servers", "calc").unwrap(), BEFORE);
        assert_eq!(without_entry(BEFORE, "mcp_servers", "calc").unwrap(), BEFORE);
        let first = with_entry("", "mcp_servers", "calc", &entry).unwrap();
        assert!(first.starts_with("[mcp_servers.calc]\ncommand = \"/bin/calc\"\n"), "{first}");
        assert_eq!(without_entry(&first, "mcp_servers", "calc").unwrap(), "");
    }

    #[test]
    fn a_changed_entry_keeps_settings_and_comments_of_the_user() {
        let before =
            "[mcp_servers.calc] # sums\ncommand = \"old\"\nargs = []\nenv = { A = \"1\" }\nstartup_timeout_sec = 20\n";
        let after = with_entry(before, "mcp_servers", "calc", &json!({"command": "new", "args": []})).unwrap();
        assert_eq!(after, "[mcp_servers.calc] # sums\ncommand = \"new\"\nargs = []\nstartup_timeout_sec = 20\n");
    }

    #[test]
    fn a_comment_above_a_removed_table_is_kept() {
        let before = "[mcp_servers.calc]\ncommand = \"x\"\n\n# about both\n[mcp_servers.other]\ncommand = \"y\"\n";
        let after = without_entry(before, "mcp_servers", "other").unwrap();
        assert!(after.contains("# about both") && !after.contains("other"), "{after}");
    }

    #[test]
    fn an_entry_is_written_into_an_inline_table_too() {
        let before = "mcp_servers = { other = { command = \"o\" } } # all\n";
        let after = with_entry(before, "mcp_servers", "calc", &json!({"command": "c", "args": []})).unwrap();
        assert_eq!(super::entry(&after, "mcp_servers", "calc").unwrap().unwrap()["command"], "c", "{after}");
        assert!(after.contains("other = { command = \"o\" }") && after.contains("# all"), "{after}");
    }

    #[test]
    fn the_place_of_a_fault_is_named() {
        let Err(EditError::Syntax { format: "TOML", line: 2, .. }) =
            with_entry("a = 1\nb = \n", "mcp_servers", "x", &json!({}))
        else {
            panic!("line 2 is invalid");
        };
        assert_eq!(
            with_entry("mcp_servers = 1\n", "mcp_servers", "x", &json!({})),
            Err(EditError::NotAnObject { key: "mcp_servers".into() })
        );
    }
}
