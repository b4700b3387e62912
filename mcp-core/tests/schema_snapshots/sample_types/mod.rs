//! Sample types: every kind of parameter type, with samples of what goes in and what does not.
//!
//! A folder of its own, because the tests with real clients offer the same sample_types.

mod attributes;
mod collections;
mod enums;
mod foreign;
mod sample_type;
mod scalars;
mod structs;

pub(crate) use sample_type::{SampleType, Verdict};

/// All of them.
pub(crate) fn all() -> Vec<SampleType> {
    let houses = [scalars::all(), collections::all(), structs::all(), enums::all(), attributes::all(), foreign::all()];
    houses.into_iter().flatten().collect()
}
