//! Reads words: removes quotes and parses substitutions.

use super::lexer::{Lexer, read};

impl Lexer<'_, '_> {
    /// Reads a word. Returns it without quotes, and whether it contains glob characters.
    pub(super) fn word(&mut self) -> (String, bool) {
        let (mut word, mut has_pattern) = (String::new(), false);
        while let Some(&(_, c)) = self.chars.peek() {
            match c {
                ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                ' ' | '\t' | '\n' => break,
                _ => {}
            }
            self.chars.next();
            match c {
                '\\' => match self.chars.next() {
                    Some((_, '\n')) => {}
                    Some((_, c)) => word.push(c),
                    None => self.dynamic(),
                },
                '\'' => self.single(&mut word),
                '"' => self.double(&mut word),
                '$' => self.dollar(&mut word),
                '`' => self.backticks(&mut word),
                '{' => {
                    // `{rm,-rf,/}` is three words.
                    self.dynamic();
                    word.push(c);
                }
                _ => {
                    has_pattern |= matches!(c, '*' | '?' | '[');
                    word.push(c);
                }
            }
        }
        (word, has_pattern)
    }

    fn single(&mut self, word: &mut String) {
        loop {
            match self.chars.next() {
                Some((_, '\'')) => return,
                Some((_, c)) => word.push(c),
                None => return self.dynamic(),
            }
        }
    }

    fn double(&mut self, word: &mut String) {
        loop {
            match self.chars.next() {
                Some((_, '"')) => return,
                Some((_, '\\')) => match self.chars.next() {
                    Some((_, '\n')) => {}
                    Some((_, c @ ('$' | '`' | '"' | '\\'))) => word.push(c),
                    Some((_, c)) => word.extend(['\\', c]),
                    None => return self.dynamic(),
                },
                Some((_, '$')) => self.dollar(word),
                Some((_, '`')) => self.backticks(word),
                Some((_, c)) => word.push(c),
                None => return self.dynamic(),
            }
        }
    }

    /// `$x`, `${x}`, `$(x)`, `$((x))`, `$[x]`, `$'x'`: the value is not known, but commands in substitutions are parsed.
    fn dollar(&mut self, word: &mut String) {
        match self.chars.peek().map(|(_, c)| *c) {
            Some('(') => {
                self.chars.next();
                self.nested('(', ')');
            }
            Some('{') => {
                self.chars.next();
                self.nested('{', '}');
            }
            // `$[x=1]` is the old form of `$((x=1))`, which may assign to a variable.
            Some('\'' | '"' | '[') => self.dynamic(),
            Some(c) if c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '*' | '#' | '?' | '$' | '!' | '-') => {
                self.dynamic();
                while self.chars.next_if(|(_, c)| c.is_ascii_alphanumeric() || *c == '_').is_some() {}
            }
            _ => word.push('$'),
        }
    }

    fn backticks(&mut self, _: &mut String) {
        self.dynamic();
        let mut inner = String::new();
        loop {
            match self.chars.next() {
                Some((_, '`')) => break,
                Some((_, '\\')) => inner.extend(self.chars.next().map(|(_, c)| c)),
                Some((_, c)) => inner.push(c),
                None => break,
            }
        }
        self.descend(&inner);
    }

    /// Parses a substitution after its opening character.
    pub(super) fn nested(&mut self, open: char, close: char) {
        self.dynamic();
        let (mut inner, mut depth, mut quote) = (String::new(), 1_u32, None);
        while let Some((_, c)) = self.chars.next() {
            match (quote, c) {
                (_, '\\') if quote != Some('\'') => {
                    inner.push(c);
                    inner.extend(self.chars.next().map(|(_, c)| c));
                    continue;
                }
                (None, '\'' | '"') => quote = Some(c),
                (Some(open), c) if open == c => quote = None,
                (None, c) if c == open => depth += 1,
                (None, c) if c == close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            inner.push(c);
        }
        self.descend(&inner);
    }

    fn descend(&mut self, inner: &str) {
        match self.depth.checked_sub(1) {
            Some(depth) => read(inner, depth, self.script),
            None => self.dynamic(),
        }
    }

    /// Marks the line as dependent on values that are only known at run time.
    pub(super) fn dynamic(&mut self) {
        self.script.is_plain = false;
        self.script.is_understood = false;
        self.script.is_dynamic = true;
    }
}
