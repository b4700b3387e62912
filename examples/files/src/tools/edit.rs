//! Replaces parts of a text.

use mcp_core::ToolError;

use super::change::Edit;

/// Does the replacements one after the other.
pub(super) fn apply(text: &str, edits: &[Edit]) -> Result<String, ToolError> {
    let mut text = text.to_owned();
    for edit in edits {
        let (old, new) = (edit.old_text.replace("\r\n", "\n"), edit.new_text.replace("\r\n", "\n"));
        text = match text.contains(&old) {
            true => text.replacen(&old, &new, 1),
            false => replaced_lines(&text, &old, &new)
                .ok_or_else(|| ToolError::new(format!("Could not find exact match for edit:\n{}", edit.old_text)))?,
        };
    }
    Ok(text)
}

/// Replaces lines that are equal except for the white space around them. The new lines get the indentation of the old ones.
fn replaced_lines(text: &str, old: &str, new: &str) -> Option<String> {
    let (old, mut lines): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), text.split('\n').collect());
    let is_match = |window: &[&str]| window.iter().zip(&old).all(|(line, old)| line.trim() == old.trim());
    let at = lines.windows(old.len()).position(is_match)?;
    let indentation = indentation(lines[at]);
    let new: Vec<String> =
        new.split('\n').enumerate().map(|(number, line)| indented(line, number, old.get(number), indentation)).collect();
    lines.splice(at..at + old.len(), new.iter().map(String::as_str));
    Some(lines.join("\n"))
}

/// Keeps the indentation of a line relative to the old line in its place.
fn indented(line: &str, number: usize, old: Option<&&str>, first: &str) -> String {
    let old = old.map_or(0, |old| indentation(old).chars().count());
    let own = indentation(line).chars().count();
    match number {
        0 => format!("{first}{}", line.trim_start()),
        _ if old > 0 && own > 0 => format!("{first}{}{}", " ".repeat(own.saturating_sub(old)), line.trim_start()),
        _ => line.to_owned(),
    }
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, old: &str, new: &str) -> Option<String> {
        apply(text, &[Edit { old_text: old.into(), new_text: new.into() }]).ok()
    }

    #[test]
    fn the_first_exact_match_is_replaced() {
        assert_eq!(edited("a b a", "a", "$&").unwrap(), "$& b a");
        assert_eq!(edited("a", "b", "c"), None);
    }

    #[test]
    fn lines_match_without_their_indentation_and_keep_it() {
        assert_eq!(edited("  if x {\n    y\n  }", "if x {\n  y\n}", "if z {\n    y\n}").unwrap(), "  if z {\n    y\n}");
    }
}
