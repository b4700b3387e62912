//! The tokens of a TypeScript declaration file, without comments.

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name, a keyword or a number.
    Word(String),
    /// The content of a string literal.
    Text(String),
    /// A punctuation mark; an arrow is one mark.
    Mark(char),
}

/// The mark for `=>`.
pub(crate) const ARROW: Token = Token::Mark('\u{21d2}');

impl Token {
    pub(crate) fn is(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }

    pub(crate) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Splits the text of a declaration file into tokens.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        rest = if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, after)| after)
        } else if first.is_whitespace() {
            rest.trim_start()
        } else if matches!(first, '\'' | '"' | '`') {
            let (text, after) = string(&rest[1..], first);
            tokens.push(Token::Text(text));
            after
        } else if let Some(after) = rest.strip_prefix("=>") {
            tokens.push(ARROW);
            after
        } else if is_in_word(first) {
            let end = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            &rest[end..]
        } else {
            tokens.push(Token::Mark(first));
            &rest[first.len_utf8()..]
        };
    }
    tokens
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Returns the content of a string literal and what follows it.
fn string(source: &str, quote: char) -> (String, &str) {
    let mut text = String::new();
    let mut chars = source.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
            c if c == quote => return (text, &source[at + c.len_utf8()..]),
            c => text.push(c),
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out_and_strings_are_whole() {
        let word = |word: &str| Token::Word(word.to_owned());
        let text = |text: &str| Token::Text(text.to_owned());
        assert_eq!(
            tokens("/** a: b */ x?: 'it\\'s /*'; // y\n\"-C\"=>2"),
            [word("x"), Token::Mark('?'), Token::Mark(':'), text("it's /*"), Token::Mark(';'), text("-C"), ARROW, word("2")]
        );
    }
}
