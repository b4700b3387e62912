//! Text that is given on the command line, in a file (`@FILE`) or on standard input (`@-`).

use std::fs;
use std::io::{self, Read};

use serde_json::{Map, Value};

/// Returns the text of a value: `@FILE` is the content of the file, `@-` is standard input, `@@text` is `@text`.
pub(crate) fn text(name: &str, value: &str) -> Result<String, String> {
    match value.strip_prefix('@') {
        None => Ok(value.to_owned()),
        Some(literal) if literal.starts_with('@') => Ok(literal.to_owned()),
        Some("-") => standard_input(),
        Some(path) => fs::read_to_string(path).map_err(|error| {
            format!("`{name}`: cannot read the file `{path}`: {error}; for the text `@{path}` write `@@{path}`")
        }),
    }
}

/// Returns the object in `{..}`, in `@FILE` or on standard input (`-`). `None` if the word is none of these.
pub(crate) fn object(word: &str) -> Option<Result<Map<String, Value>, String>> {
    let text = match word {
        "-" => standard_input(),
        word if word.starts_with('{') => Ok(word.to_owned()),
        word => {
            let path = word.strip_prefix('@')?;
            fs::read_to_string(path).map_err(|error| format!("cannot read the file `{path}`: {error}"))
        }
    };
    Some(text.and_then(|text| parse(&text)))
}

fn standard_input() -> Result<String, String> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|error| format!("cannot read standard input: {error}"))?;
    Ok(text)
}

fn parse(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(format!(
            "the arguments must be a JSON object such as {{\"name\": 1}}, not `{}`",
            shortened(&other.to_string())
        )),
        Err(error) => Err(format!("the arguments are not valid JSON: {}", located(text, &error))),
    }
}

/// Describes an error of parsing JSON: the reason, the place, and the line with a mark under the place.
pub(crate) fn located(text: &str, error: &serde_json::Error) -> String {
    /// How many characters are shown before and after the place.
    const AROUND: usize = 40;
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    // The column counts bytes, from 1. After the last byte of a line it may be one more.
    let place = line.floor_char_boundary(error.column().saturating_sub(1).min(line.len()));
    let before: Vec<char> = line[..place].chars().rev().take(AROUND).collect();
    let shown: String = before.iter().rev().copied().chain(line[place..].chars().take(AROUND)).collect();
    let shown = shown.replace(|c: char| c.is_control(), " ");
    format!("{error}\n  {shown}\n  {}^", " ".repeat(before.len()))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_owned() } else { text.chars().take(57).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_json_shows_the_line_and_marks_the_place() {
        let error = object("{\"a\": 1, \"b\": x}").unwrap().unwrap_err();
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines[0], "the arguments are not valid JSON: expected value at line 1 column 15");
        assert_eq!(lines[1], "  {\"a\": 1, \"b\": x}");
        assert_eq!(lines[2].find('^'), lines[1].find('x'));
    }

    #[test]
    fn an_at_sign_is_doubled_to_be_text() {
        assert_eq!(text("handle", "@@ada"), Ok("@ada".to_owned()));
        assert!(text("handle", "@/no/such/file").unwrap_err().contains("write `@@/no/such/file`"));
    }

    #[test]
    fn arguments_that_are_not_an_object_are_refused() {
        assert!(object("[1]").is_none());
        assert!(parse("[1]").unwrap_err().contains("must be a JSON object"));
        assert!(object("{").unwrap().unwrap_err().contains("EOF"));
    }
}
