//! Reads the code blocks of a page.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A fenced code block.
pub(crate) struct Block {
    /// The first word after the fence, for instance `rust`.
    pub(crate) language: String,
    /// The text after the first word.
    pub(crate) note: String,
    pub(crate) text: String,
}

/// Reads a file of this workspace.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the blocks of a page in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    fenced
        .map(|block| {
            let (info, text) = block.split_once('\n').expect("the info line of a code block");
            let (language, note) = info.split_once(' ').unwrap_or((info, ""));
            Block { language: language.to_owned(), note: note.to_owned(), text: text.to_owned() }
        })
        .collect()
}

/// Asserts that the Rust code of a page equals the code of an example after its first blank line.
#[track_caller]
pub(crate) fn assert_compiled(page: &str, example: &str) {
    assert_compiled_as(page, "", example);
}

/// As [`assert_compiled`], but only for the blocks with this note after the fence.
#[track_caller]
pub(crate) fn assert_compiled_as(page: &str, note: &str, example: &str) {
    let is_it = |block: &Block| block.language == "rust" && block.note == note;
    let shown: String = blocks(&read(page)).into_iter().filter(is_it).map(|block| block.text).collect();
    let source = read(example);
    let (_, compiled) = source.split_once("\n\n").unwrap();
    assert_eq!(words(&shown), words(compiled), "{page} does not show the code of {example}");
}

/// Removes white space, which the formatter may change.
fn words(code: &str) -> String {
    code.split_whitespace().collect()
}

pub(crate) fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns whether a value matches a block of a page. An object may have more keys than shown.
pub(crate) fn contains(value: &Value, shown: &Value) -> bool {
    match (value, shown) {
        (Value::Object(all), Value::Object(some)) => {
            let find = |key: &String| if key.starts_with('<') { all.values().next() } else { all.get(key) };
            some.iter().all(|(key, shown)| find(key).is_some_and(|value| contains(value, shown)))
        }
        (Value::Array(all), Value::Array(some)) => {
            all.len() == some.len() && all.iter().zip(some).all(|(value, shown)| contains(value, shown))
        }
        // `<name>` matches any value: it differs from run to run.
        (_, Value::String(shown)) if shown.starts_with('<') && shown.ends_with('>') => true,
        _ => value == shown,
    }
}
