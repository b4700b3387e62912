//! The stack of open brackets.

const NONE_OPEN: u64 = 1;

/// The stack of open brackets, one bit for each: set for objects, clear for arrays. The highest set bit marks the bottom of
/// the stack. Only more than 63 levels need the heap.
pub(super) struct Nesting {
    inner: u64,
    outer: Vec<u64>,
}

impl Default for Nesting {
    #[inline]
    fn default() -> Nesting {
        Nesting { inner: NONE_OPEN, outer: Vec::new() }
    }
}

impl Nesting {
    /// Creates a stack with one open object.
    pub(super) fn in_object() -> Nesting {
        Nesting { inner: NONE_OPEN << 1 | 1, outer: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, is_object: bool) {
        if self.inner.leading_zeros() == 0 {
            self.outer.push(self.inner);
            self.inner = NONE_OPEN;
        }
        self.inner = self.inner << 1 | u64::from(is_object);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.inner >>= 1;
        if self.inner == NONE_OPEN {
            self.inner = self.outer.pop().unwrap_or(NONE_OPEN);
        }
    }

    #[inline]
    pub(super) fn innermost(&self) -> Option<bool> {
        (self.inner != NONE_OPEN).then_some(self.inner & 1 == 1)
    }
}
