//! Sample types: every kind of parameter type, with arguments that it accepts and rejects.
//!
//! The tests with real clients in `tools/interop` use the same types.

mod attributes;
mod collections;
mod enums;
mod foreign;
mod sample_type;
mod scalars;
mod structs;

pub(crate) use sample_type::{SampleType, Verdict};

/// Returns all sample types.
pub(crate) fn all() -> Vec<SampleType> {
    let houses = [scalars::all(), collections::all(), structs::all(), enums::all(), attributes::all(), foreign::all()];
    houses.into_iter().flatten().collect()
}
