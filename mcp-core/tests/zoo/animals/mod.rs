//! The animals: every kind of parameter type, with samples of what goes in and what does not.
//!
//! A folder of its own, because the tests with real clients offer the same animals.

mod animal;
mod attributes;
mod collections;
mod enums;
mod foreign;
mod scalars;
mod structs;

pub(crate) use animal::{Animal, Verdict};

/// All of them.
pub(crate) fn all() -> Vec<Animal> {
    let houses = [scalars::all(), collections::all(), structs::all(), enums::all(), attributes::all(), foreign::all()];
    houses.into_iter().flatten().collect()
}
