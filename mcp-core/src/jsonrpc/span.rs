//! Where values stand.

use super::RawJson;

/// Where a value stands in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The longest text that spans reach.
    pub(crate) const LONGEST: usize = u32::MAX as usize;

    /// Both places are in a text that is no longer than [`Span::LONGEST`].
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// No value is empty, so this stands for none.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.end == 0
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// The bytes of the value, none if there is none.
    #[inline]
    pub(crate) fn bytes(self, text: &str) -> &[u8] {
        text.as_bytes().get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The value, in the text in which it was found.
    #[inline]
    pub(crate) fn of(self, text: &str) -> Option<RawJson<'_>> {
        text.get(self.start as usize..self.end as usize).filter(|json| !json.is_empty()).map(RawJson::new)
    }
}
