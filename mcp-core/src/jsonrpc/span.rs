//! The position of a value in a text.

use std::borrow::Cow;

use super::RawJson;

/// The position of a value in a text. The default is empty: no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    /// The highest bit is set if the value is a string without escapes.
    end: u32,
}

const PLAIN: u32 = 1 << 31;

impl Span {
    /// The maximum length of a text for spans.
    pub(crate) const LONGEST: usize = (PLAIN - 1) as usize;

    /// Creates a span in a text that is no longer than [`Span::LONGEST`].
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Creates the span of a string without escapes.
    #[inline]
    pub(crate) fn plain(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 | PLAIN }
    }

    #[inline]
    pub(crate) fn end(self) -> usize {
        (self.end & !PLAIN) as usize
    }

    /// Returns whether there is no value. JSON values are never empty, so an empty span means none.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.end == 0
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.end() - self.start as usize
    }

    /// Returns the bytes of the value, or an empty slice if there is no value.
    #[inline]
    pub(crate) fn bytes(self, text: &str) -> &[u8] {
        text.as_bytes().get(self.start as usize..self.end()).unwrap_or_default()
    }

    /// Decodes a string value, borrowed if it has no escapes. Returns `None` if the value is not a string.
    #[inline]
    pub(crate) fn string(self, text: &str) -> Option<Cow<'_, str>> {
        if self.end & PLAIN == 0 {
            return self.of(text)?.string();
        }
        text.get(self.start as usize + 1..self.end() - 1).map(Cow::Borrowed)
    }

    /// Returns the value. `text` must be the text in which it was found.
    #[inline]
    pub(crate) fn of(self, text: &str) -> Option<RawJson<'_>> {
        if self.is_empty() {
            return None;
        }
        text.get(self.start as usize..self.end()).map(|json| RawJson::new(json, self.end & PLAIN != 0))
    }
}
