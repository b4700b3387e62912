//! Text of a server on the terminal.

use std::io::{self, ErrorKind, IsTerminal, Write};

use crate::Failure;

/// Replaces characters that control a terminal or change the direction of text: a server could use them to hide or fake output.
pub(crate) fn harmless(text: &str) -> String {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if is_control(c) || turns(c) { '\u{fffd}' } else { c }).collect()
}

/// As [`harmless`], with every line break and tab replaced by a space.
pub(super) fn in_one_line(text: &str) -> String {
    harmless(text).replace(['\n', '\t'], " ")
}

/// Returns `text` with every line indented by `spaces`.
pub(super) fn indented(text: &str, spaces: usize) -> String {
    let margin = " ".repeat(spaces);
    text.trim_end().lines().map(|line| format!("{margin}{line}\n")).collect()
}

/// Prints the result of a command. On a terminal it is made harmless; a file or a program gets it unchanged.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let text = if io::stdout().is_terminal() { harmless(text) } else { text.to_owned() };
    let text = if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" };
    write(text.as_bytes())
}

/// Writes bytes to standard output.
pub(super) fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        // The reader has read as much as it wanted, as in `cargo mcp list x | head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(|error| Failure::new(format!("cannot write to standard output: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_server_cannot_control_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\r\nc\u{9b}31m\u{202e}d\té"), "a\u{fffd}[2Jb\u{fffd}\nc\u{fffd}31m\u{fffd}d\té");
    }
}
