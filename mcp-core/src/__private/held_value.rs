//! A value on which autoref specialization is applied.

use std::cell::Cell;

/// Holds a value while autoref specialization selects the method that takes it.
#[allow(missing_debug_implementations, reason = "lives for one expression in generated code")]
pub struct HeldValue<R>(Cell<Option<R>>);

impl<R> HeldValue<R> {
    pub fn new(value: R) -> HeldValue<R> {
        HeldValue(Cell::new(Some(value)))
    }

    pub(super) fn empty(&self) -> R {
        self.0.take().expect("a slot is emptied once")
    }
}
