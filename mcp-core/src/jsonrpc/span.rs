//! Where values stand.

use std::borrow::Cow;

use super::RawJson;

/// Where a value stands in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    /// The highest bit says that the value is a string that stands for itself.
    end: u32,
}

const PLAIN: u32 = 1 << 31;

impl Span {
    /// The longest text that spans reach.
    pub(crate) const LONGEST: usize = (PLAIN - 1) as usize;

    /// Both places are in a text that is no longer than [`Span::LONGEST`].
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The same of a string without escapes.
    #[inline]
    pub(crate) fn plain(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 | PLAIN }
    }

    #[inline]
    pub(crate) fn end(self) -> usize {
        (self.end & !PLAIN) as usize
    }

    /// No value is empty, so this stands for none.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.end == 0
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.end() - self.start as usize
    }

    /// The bytes of the value, none if there is none.
    #[inline]
    pub(crate) fn bytes(self, text: &str) -> &[u8] {
        text.as_bytes().get(self.start as usize..self.end()).unwrap_or_default()
    }

    /// The text that the value says, borrowed when it holds no escapes; none if it is no string.
    #[inline]
    pub(crate) fn string(self, text: &str) -> Option<Cow<'_, str>> {
        if self.end & PLAIN == 0 {
            return self.of(text)?.string();
        }
        text.get(self.start as usize + 1..self.end() - 1).map(Cow::Borrowed)
    }

    /// The value, in the text in which it was found.
    #[inline]
    pub(crate) fn of(self, text: &str) -> Option<RawJson<'_>> {
        if self.is_empty() {
            return None;
        }
        text.get(self.start as usize..self.end()).map(|json| RawJson::new(json, self.end & PLAIN != 0))
    }
}
