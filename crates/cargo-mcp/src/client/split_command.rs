//! Splits a command that was typed as one word, such as `"npx -y some-server"`.

use crate::sys;

/// Splits a command at white space, as a POSIX shell does. Quotes group words; nothing is expanded.
///
/// A backslash escapes the next character, except on Windows, where it separates folders.
pub(super) fn split(text: &str) -> Result<Vec<String>, String> {
    split_as(text, !sys::BACKSLASH_SEPARATES_FOLDERS)
}

fn split_as(text: &str, has_escapes: bool) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, quote) {
            (end, Some(open)) if end == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            ('\\', Some('"')) if has_escapes && matches!(characters.peek(), Some('"' | '\\')) => {
                word.get_or_insert_default().extend(characters.next());
            }
            ('\\', None) if has_escapes => word.get_or_insert_default().extend(characters.next()),
            (space, None) if space.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("the command `{text}` has no closing {quote}"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        for (text, words) in [
            ("npx -y  server", &["npx", "-y", "server"][..]),
            ("a 'b c' \"d e\" f\\ g", &["a", "b c", "d e", "f g"]),
            ("a '' \"\"", &["a", "", ""]),
            (r#"a"b 'c'"d "\"x\" \y""#, &["ab 'c'd", r#""x" \y"#]),
            ("  ", &[]),
        ] {
            assert_eq!(split_as(text, true).unwrap(), words, "{text}");
        }
        assert_eq!(split_as(r"C:\a\b.exe x", false).unwrap(), [r"C:\a\b.exe", "x"]);
        assert!(split_as("a 'b", true).unwrap_err().contains("no closing '"));
    }
}
