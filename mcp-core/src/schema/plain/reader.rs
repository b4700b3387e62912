//! What is written plainly, piece by piece.

use std::fmt;

use serde::de::{self, Visitor};

use crate::jsonrpc::lex::{colon_end, expect, plain_end, space_end, value_end};

/// Lists in lists in lists are not plain: so the stack is safe, whatever the type.
const DEEPEST: u8 = 4;

/// More digits might be more than 64 bits.
const MOST_DIGITS: usize = 18;

/// Not plain, or not what the type wants. Whoever needs to know more asks serde_json.
#[derive(Debug)]
pub(super) struct NotPlain;

/// A cursor over a text.
pub(super) struct Reader<'de> {
    text: &'de str,
    at: usize,
    depth: u8,
}

impl<'de> Reader<'de> {
    #[inline]
    pub(super) fn new(text: &'de str) -> Reader<'de> {
        Reader { text, at: 0, depth: 0 }
    }

    /// Whether nothing is left.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    /// Steps over the colon behind a key.
    #[inline]
    pub(super) fn colon(&mut self) -> Result<(), NotPlain> {
        self.go(colon_end(self.bytes(), self.at))
    }

    /// Steps over a value of any kind.
    pub(super) fn skip(&mut self) -> Result<(), NotPlain> {
        self.go(value_end(self.bytes(), self.at))
    }

    #[inline]
    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    #[inline]
    fn peek(&self) -> Result<u8, NotPlain> {
        self.bytes().get(self.at).copied().ok_or(NotPlain)
    }

    /// Moves to a place that was found.
    #[inline]
    fn go(&mut self, place: Option<usize>) -> Result<(), NotPlain> {
        self.at = place.ok_or(NotPlain)?;
        Ok(())
    }

    /// Steps over a word, if it is the next.
    #[inline]
    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = self.bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()));
        self.at += if found { word.len() } else { 0 };
        found
    }

    #[inline]
    pub(super) fn string(&mut self) -> Result<&'de str, NotPlain> {
        let start = expect(self.bytes(), self.at, b'"').ok_or(NotPlain)?;
        let end = plain_end(self.bytes(), start);
        self.go(expect(self.bytes(), end, b'"'))?;
        self.text.get(start..end).ok_or(NotPlain)
    }

    /// A whole number, without its sign.
    #[inline]
    fn digits(&mut self) -> Result<u64, NotPlain> {
        let (start, mut number) = (self.at, 0);
        while let Some(byte @ b'0'..=b'9') = self.bytes().get(self.at) {
            if self.at - start == MOST_DIGITS {
                return Err(NotPlain);
            }
            number = number * 10 + u64::from(byte - b'0');
            self.at += 1;
        }
        let is_whole = !matches!(self.bytes().get(self.at), Some(b'.' | b'e' | b'E'));
        if self.at > start && is_whole { Ok(number) } else { Err(NotPlain) }
    }

    #[inline]
    pub(super) fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, NotPlain> {
        if self.peek()? != b'-' {
            return visitor.visit_u64(self.digits()?);
        }
        self.at += 1;
        match self.digits()? {
            // There is a float of this name, and no integer.
            0 => Err(NotPlain),
            number => visitor.visit_i64(-i64::try_from(number).map_err(|_| NotPlain)?),
        }
    }

    #[inline]
    pub(super) fn enter(&mut self, bracket: u8) -> Result<(), NotPlain> {
        self.go(expect(self.bytes(), self.at, bracket))?;
        self.depth += 1;
        if self.depth > DEEPEST { Err(NotPlain) } else { Ok(()) }
    }

    /// Steps to the next of several values; false at their end.
    #[inline]
    pub(super) fn goes_on(&mut self, is_first: bool, closing: u8) -> Result<bool, NotPlain> {
        self.at = space_end(self.bytes(), self.at);
        match self.peek()? {
            byte if byte == closing => {
                self.at += 1;
                self.depth -= 1;
                return Ok(false);
            }
            b',' if !is_first => self.at = space_end(self.bytes(), self.at + 1),
            _ if is_first => {}
            _ => return Err(NotPlain),
        }
        Ok(true)
    }
}

impl de::Error for NotPlain {
    #[cold]
    fn custom<T: fmt::Display>(_: T) -> NotPlain {
        NotPlain
    }
}

impl std::error::Error for NotPlain {}

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not plain")
    }
}
